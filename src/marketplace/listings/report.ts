import { invalid } from '../../platform/errors.ts';
import { message, t } from '../../platform/languages/translate.ts';

export const REPORT_CAUSES = {
  broken: message('The offer doesn’t work'),
  misleading: message('The offer isn’t as described'),
  scam: message('It looks like a scam'),
  illegal: message('It is illegal or offensive'),
  other: message('Something else'),
} as const;
type ReportCause = keyof typeof REPORT_CAUSES;

export const MAX_REPORT_LENGTH = 1_000;
/**
 * Maximum number of open reports per listing, because further reports add no information. Above it, a report by a person
 * with a confirmed address replaces one by somebody unknown, and a report from another network replaces one of the
 * network with the most reports.
 */
export const MAX_OPEN_REPORTS = 50;
/** Maximum numbers of open reports on a listing from one network, by people without and with a confirmed address. */
const MAX_UNKNOWN_OF_NETWORK = 3;
const MAX_CONFIRMED_OF_NETWORK = 10;
/** How long a report is kept after the operator dismisses the report or suspends the listing. */
export const REPORTS_KEPT_DAYS = 30;

const isCause = (text: string): text is ReportCause => Object.hasOwn(REPORT_CAUSES, text);

export function parseReportCause(text: string): ReportCause {
  if (!isCause(text)) throw invalid(message('Choose what is wrong.'));
  return text;
}

/** Returns an unknown cause unchanged, because a newer version of the program may have stored it. */
export const causeText = (cause: string): string => (isCause(cause) ? t(REPORT_CAUSES[cause]) : cause);

export interface StoredReport {
  readonly id: string;
  readonly cause: string;
  readonly words: string | null;
  readonly reporter_id: string | null;
  readonly is_confirmed: number;
  readonly network: string | null;
  readonly created_at: string;
}

/** `replaces`: the id of the report to delete, if any. */
type StorageDecision = { readonly replaces: string | null } | 'exists';

/** A flood comes from few networks, and after the reports that people sent before it. */
function newestOfLargestNetwork(reports: readonly StoredReport[]) {
  const networks = [...Map.groupBy(reports, ({ network }) => network).values()];
  const count = Math.max(0, ...networks.map(({ length }) => length));
  const flooding = new Set(networks.filter(({ length }) => length === count).flat());
  return { newest: reports.findLast((report) => flooding.has(report)), count };
}

/** Throws a refusal that says that the report is not stored. */
export function decideStorage(
  open: readonly StoredReport[],
  report: Omit<StoredReport, 'id'>,
): StorageDecision {
  const { reporter_id, is_confirmed, network } = report;
  const isEqual = (other: StoredReport) => other.cause === report.cause && other.words === report.words;
  // One report by each person: the newest one.
  const ofPerson = reporter_id === null ? undefined : open.find((other) => other.reporter_id === reporter_id);
  if (ofPerson !== undefined) {
    // A person who has confirmed their address since is mailed the decision.
    const isKnown = isEqual(ofPerson) && ofPerson.is_confirmed >= is_confirmed;
    return isKnown ? 'exists' : { replaces: ofPerson.id };
  }
  const ofNetwork = open.filter(
    (other) => other.network === network && (other.is_confirmed === 1) === (is_confirmed === 1),
  );
  if (reporter_id === null && ofNetwork.some(isEqual)) return 'exists';
  if (ofNetwork.length >= (is_confirmed === 1 ? MAX_CONFIRMED_OF_NETWORK : MAX_UNKNOWN_OF_NETWORK)) {
    throw invalid(
      message(
        'There are already several open reports about this listing from your network, and the operator will look at them. Yours was not added.',
      ),
    );
  }
  if (open.length < MAX_OPEN_REPORTS) return { replaces: null };
  const unknown = open.filter((other) => other.is_confirmed === 0);
  const largest = newestOfLargestNetwork(is_confirmed === 1 && unknown.length === 0 ? open : unknown);
  const isFairer = largest.count > ofNetwork.length + 1;
  if (largest.newest !== undefined && (isFairer || (is_confirmed === 1 && unknown.length > 0))) {
    return { replaces: largest.newest.id };
  }
  throw invalid(
    message(
      'This listing already has many open reports, and the operator will look at them. Yours was not added.',
    ),
  );
}
