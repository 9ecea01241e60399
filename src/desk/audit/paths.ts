/** Addresses of the audit log. */
export const AUDIT_PATH = '/desk/events';

/** The log as a file. */
export const auditExportPath = (format: string): string => `${AUDIT_PATH}/export.${format}`;
