/** The filters of claims as options of commands. */
import type { Command } from 'commander';
import {
  CLAIM_FILTER_NAMES,
  CLAIM_FILTERS,
  type ClaimFilterName,
  type ClaimFilterTexts,
} from '../claims/claim-filter.ts';

/** Adds `--claimed-from` and the others. */
export function addClaimFilters(command: Command, names: readonly ClaimFilterName[]): void {
  for (const name of names) {
    const { about, choices }: { readonly about: string; readonly choices?: readonly string[] } =
      CLAIM_FILTERS[name];
    command.option(
      `--${name.replaceAll('_', '-')} <value>`,
      `claims ${about}${choices === undefined ? '' : ` (${choices.join(', ')})`}`,
    );
  }
}

/** The filters among the options of a command. */
export const claimFiltersOf = (options: Readonly<Record<string, unknown>>): ClaimFilterTexts =>
  Object.fromEntries(
    CLAIM_FILTER_NAMES.flatMap((name) => {
      const value = options[name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
