/** Reports: what people say is wrong with a listing. */

import { invalid } from '../errors.ts';
import { message, t } from '../languages/translate.ts';

/** Why people report a listing. */
export const REPORT_CAUSES = {
  broken: message('The offer doesn’t work'),
  misleading: message('The offer isn’t as described'),
  scam: message('It looks like a scam'),
  illegal: message('It is illegal or offensive'),
  other: message('Something else'),
} as const;
export type ReportCause = keyof typeof REPORT_CAUSES;

export const MAX_REPORT_LENGTH = 1_000;
/** Open reports of a listing that are stored; more of them would tell the operator nothing new. */
export const MAX_OPEN_REPORTS = 50;
/** How long a report is kept after it was dismissed or the listing was suspended. */
export const REPORTS_KEPT_DAYS = 30;

const isCause = (text: string): text is ReportCause => Object.hasOwn(REPORT_CAUSES, text);

export function parseReportCause(text: string): ReportCause {
  if (!isCause(text)) throw invalid(message('Choose what is wrong.'));
  return text;
}

/** In words; a newer version of the program may know others. */
export const causeText = (cause: string): string => (isCause(cause) ? t(REPORT_CAUSES[cause]) : cause);
