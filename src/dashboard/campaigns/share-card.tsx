/** Builds share links: the listing's page with a label. */

import type { ListedListing } from '../../campaigns/queries.ts';
import { isLoopbackHost } from '../../network/network.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CAMPAIGNS_PATH } from './paths.ts';

/** A share link, or the problem with the label. */
export interface Share {
  readonly label: string;
  readonly link: string | null;
  readonly problem: string | null;
  /** A label that would do, where the typed one has a problem. */
  readonly proposal: string | null;
}

const CARD = 'share';

export function ShareLinkCard({ listing, share }: { listing: ListedListing; share: Share }): Markup {
  return (
    <aside class="card" id={CARD} aria-labelledby={`${CARD}-title`}>
      <h2 id={`${CARD}-title`}>Share link</h2>
      <div class="stack">
        <form
          class="stack"
          method="get"
          action={`${CAMPAIGNS_PATH}#${CARD}`}
          hx-get={CAMPAIGNS_PATH}
          hx-trigger="change, submit"
          hx-target={`#${CARD}`}
          hx-select={`#${CARD}`}
          hx-swap="outerHTML"
          hx-sync="this:replace"
        >
          <input type="hidden" name="listing" value={listing.slug} />
          <TextField
            form={formOf(share)}
            idPrefix={CARD}
            name="share"
            label="Label"
            hint="Where you share it: spring_newsletter. Lowercase letters, digits, - and _."
            optional
            mono
          />
          <div>
            <Button>Make the link</Button>
          </div>
        </form>
        {share.proposal !== null && (
          <p>
            <a
              href={`${CAMPAIGNS_PATH}?${new URLSearchParams({ listing: listing.slug, share: share.proposal })}#${CARD}`}
            >
              Use <Mono>{share.proposal}</Mono>
            </a>
          </p>
        )}
        {share.link !== null && (
          <>
            <CopyLine text={share.link} what="the share link" />
            <QrCode
              text={share.link}
              label={`QR code of ${share.link}`}
              caption={share.label === '' ? 'Without a label' : `Counted as ${share.label}`}
            />
          </>
        )}
        {share.link !== null && isLoopbackHost(new URL(share.link).hostname) && (
          <Notice tone="warn">
            Only this computer can open the link: its address is {new URL(share.link).host}. For phones and
            other people, the operator must set BASE_URL to an address that they can reach.
          </Notice>
        )}
        {listing.state !== 'approved' && (
          <Notice tone="warn">
            The listing is not live now: the link shows nothing until it is approved.
          </Notice>
        )}
      </div>
    </aside>
  );
}

function formOf({ label, problem }: Share): FormState {
  if (problem === null) return newForm({ share: label });
  const form = new FormInput(new URLSearchParams({ share: label }));
  form.refuse('share', problem);
  return form;
}
