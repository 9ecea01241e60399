import { isolated } from '../text/text.ts';
import { Button, PostButton } from '../ui/button.tsx';
import { HiddenField, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { claimAction, listingPath, viaField } from './paths.ts';
import type { PublicListing, PublicOffer } from './queries.ts';

export interface ClaimSignInPageProps {
  readonly listing: PublicListing;
  readonly offer: PublicOffer;
  readonly via: string | null;
  readonly form: FormState;
}

/** Asks a person who is not signed in for an email address, and for nothing else. */
export const ClaimSignInPage = ({ listing, offer, via, form }: ClaimSignInPageProps): Markup => {
  const action = claimAction(listing.slug, offer.id);
  return (
    <>
      <PageHeader
        above={
          <Breadcrumb
            trail={[
              ['Marketplace', '/'],
              [listing.name, listingPath({ slug: listing.slug, via })],
            ]}
          />
        }
        title="Claim offer"
        lead={`${isolated(offer.offer)}, at ${isolated(listing.name)}`}
      />
      <Form form={form} action={action}>
        {Object.entries(viaField(via)).map(([name, value]) => (
          <HiddenField name={name} value={value} />
        ))}
        <TextField
          form={form}
          name="email"
          type="email"
          label="Email address"
          hint="We’ll send you a code. The offer is yours as soon as you enter it."
          autocomplete="email"
          inputmode="email"
          autofocus
        />
        <FormActions>
          <Button tone="primary">Email me a code</Button>
        </FormActions>
      </Form>
      <div class="top-space">
        <PostButton action={action} values={{ ...viaField(via), another_way: '1' }} tone="quiet">
          Sign in another way
        </PostButton>
      </div>
    </>
  );
};
