import { invalid } from '../errors.ts';
import { message, t } from '../languages/translate.ts';

export const REPORT_CAUSES = {
  broken: message('The offer doesn’t work'),
  misleading: message('The offer isn’t as described'),
  scam: message('It looks like a scam'),
  illegal: message('It is illegal or offensive'),
  other: message('Something else'),
} as const;
type ReportCause = keyof typeof REPORT_CAUSES;

export const MAX_REPORT_LENGTH = 1_000;
/** Maximum number of open reports per listing. Further reports are not stored, because they add no information. */
export const MAX_OPEN_REPORTS = 50;
/** How long a report is kept after the operator dismisses the report or suspends the listing. */
export const REPORTS_KEPT_DAYS = 30;

const isCause = (text: string): text is ReportCause => Object.hasOwn(REPORT_CAUSES, text);

export function parseReportCause(text: string): ReportCause {
  if (!isCause(text)) throw invalid(message('Choose what is wrong.'));
  return text;
}

/** Returns an unknown cause unchanged, because a newer version of the program may have stored it. */
export const causeText = (cause: string): string => (isCause(cause) ? t(REPORT_CAUSES[cause]) : cause);
