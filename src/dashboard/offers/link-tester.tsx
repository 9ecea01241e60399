/** Says what a redemption link is as it is typed: the parameter, the final link, or all that is wrong with it. */
import { leavesPinnedOrigin } from '../../listings/listing.ts';
import type { OfferLinks } from '../../offers/offer.ts';
import { describeRedemptionLink, linkWarnings, websiteWarnings } from '../../offers/redemption-link.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';

export const LINK_TESTER_ID = 'link-tester';

/** Example token in the final link; no claim has it. */
const EXAMPLE_TOKEN = 'clm_EXAMPLE';

export interface LinkTesterProps {
  readonly link: string;
  readonly current: OfferLinks;
  readonly pinned: string | null;
  readonly website: string;
}

export const websiteOf = ({ origin, url }: { origin: string | null; url: string }): string =>
  origin ?? new URL(url).origin;

export function LinkTester({ link, current, pinned, website }: LinkTesterProps): Markup {
  if (link === '') return <p class="hint">Enter a link to see where it leads.</p>;
  const { parameter, finalLink, origin, problems } = describeRedemptionLink(link, EXAMPLE_TOKEN);
  if (problems.length > 0) {
    return (
      <Notice
        tone="bad"
        title={problems.length === 1 ? 'The link would not work' : 'Why the link would not work'}
      >
        <ul>
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  const warnings = [...linkWarnings(link), ...websiteWarnings(link, website)];
  return (
    <Notice
      tone={warnings.length === 0 ? 'good' : 'warn'}
      title={warnings.length === 0 ? 'The link is well-formed' : 'The link is well-formed; check this'}
    >
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li>{warning}</li>
          ))}
        </ul>
      )}
      <DefinitionList
        facts={[
          ['Parameter', <code>{parameter}</code>],
          [
            'Final link',
            <code>
              <Breakable text={finalLink ?? ''} />
            </code>,
          ],
          ['Then', then({ link, current, pinned, website }, origin ?? '')],
        ]}
      />
    </Notice>
  );
}

/** What happens with the link once it is saved. */
function then({ link, current, pinned }: LinkTesterProps, origin: string): string {
  if (link === current.redemption_link) return 'This is the offer’s current link.';
  if (link === current.proposed_link) {
    return current.declined_reason === null
      ? 'It already waits for review.'
      : 'The operator declined this link.';
  }
  if (pinned === null) return 'It is reviewed with the listing.';
  if (!leavesPinnedOrigin(pinned, origin)) return 'It goes live as soon as you save.';
  return current.redemption_link === null
    ? `It waits for review first, because its host is not the approved ${pinned}.`
    : `It waits for review, because its host is not the approved ${pinned}. Until then the current link stays live.`;
}
