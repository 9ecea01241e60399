/** Preview of a listing on the marketplace, from the values of its form. */
import { kindName } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { DefinitionList } from '../../ui/facts.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';

export interface ListingPreviewProps {
  readonly form: FormState;
  readonly owner: string;
  readonly offers: readonly Pick<CountedOffer, 'offer' | 'kind'>[];
}

export const PREVIEW_ID = 'preview';

export function ListingPreview({ form, owner, offers }: ListingPreviewProps): Markup {
  const [name, summary, description] = ['name', 'summary', 'description'].map((field) =>
    form.text(field).trim(),
  );
  const host = URL.parse(form.text('url').trim())?.host ?? '';
  return (
    <div class="stack">
      <div>
        <p class="preview-title" dir="auto">
          {name === '' ? 'Name of your app' : name}
        </p>
        {summary !== '' && (
          <p class="soft-text" dir="auto">
            {summary}
          </p>
        )}
      </div>
      {offers.length > 0 && (
        <ul class="offer-lines">
          {offers.map(({ offer, kind }) => (
            <li>
              <span class="kind">{kindName(kind)}</span>
              {offer}
            </li>
          ))}
        </ul>
      )}
      {description !== '' && (
        <p class="plain-text" dir="auto">
          {description}
        </p>
      )}
      <DefinitionList
        facts={[
          ['App', host === '' ? <span class="quiet-text">the host of its website</span> : host],
          ['By', owner],
        ]}
      />
    </div>
  );
}
