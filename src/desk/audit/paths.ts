/** Paths of the audit log. */
export const AUDIT_PATH = '/desk/events';

export const auditExportPath = (format: string): string => `${AUDIT_PATH}/export.${format}`;
