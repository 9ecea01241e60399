/** Operator keys: the keys of all operators, with what each may do. */
import { SCOPES, splitScopes } from '../../keys/key.ts';
import type { OperatorKeyView } from '../../keys/view.ts';
import { type KeyNotice, KeysPage, type KeyWords } from '../../ui/keys-page.tsx';
import type { Markup } from '../../ui/markup.ts';
import { accountPath } from '../accounts/paths.ts';

export const OPERATOR_KEY_WORDS: KeyWords = {
  path: '/desk/keys',
  title: 'Operator keys',
  noun: 'operator key',
  roll: 'Replace',
  rolled: 'replaced',
  kept: 'name, scopes and lifetime',
  lost: 'cannot call the operator’s API',
  nameHint: 'Which program it is for, such as “market server”.',
  createLead:
    'It acts as you. Its secret is shown once, on the next page. Have a safe place ready to store it.',
  file: 'claimcheck-operator.env',
};

interface OperatorKeysPageProps {
  readonly keys: readonly OperatorKeyView[];
  /** The operator who reads the page: they can replace their own keys only. */
  readonly accountId: string;
  readonly notice: KeyNotice | null;
}

export const OperatorKeysPage = ({ keys, accountId, notice }: OperatorKeysPageProps): Markup => (
  <KeysPage
    words={OPERATOR_KEY_WORDS}
    keys={keys}
    notice={notice}
    lead={
      <>
        A marketplace’s server calls <a href="/docs/operator-api">the operator’s API</a> with an operator key.
        A key acts as its operator.
      </>
    }
    canCreate
    canRoll={({ account_id }) => account_id === accountId}
    holder={({ account_id: id, operator }) => <a href={accountPath({ id })}>{operator}</a>}
    column={{ header: 'Scopes', cell: ({ scopes }) => scopesText(splitScopes(scopes)) }}
    empty="There is no operator key yet. An existing marketplace issues its claims with one."
    example="cko_4hT9"
    noneActive="No server can call the operator’s API until you create one."
  />
);

/** Each resource once: `claims` for reading and writing, `claims (read)` for one of them. */
function scopesText(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'everything';
  const things = [...new Set(scopes.map((scope) => scope.split(':', 1)[0]!))];
  return things
    .map((thing) => {
      const rights = scopes.filter((scope) => scope.startsWith(`${thing}:`));
      return rights.length === 1 ? `${thing} (${rights[0]!.slice(thing.length + 1)})` : thing;
    })
    .join(', ');
}
