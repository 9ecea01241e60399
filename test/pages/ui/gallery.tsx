/** Pages for the component tests. They show component states that no other tested page shows. */
import { readFileSync } from 'node:fs';
import { encode } from '../../../src/marketplace/pictures/encode.ts';
import type { PageRouter } from '../../../src/pages/frame/page-router.ts';
import { page, readForm } from '../../../src/pages/frame/pages.ts';
import { Button, PostButton } from '../../../src/pages/ui/button.tsx';
import { Code, CopyLine } from '../../../src/pages/ui/code.tsx';
import { Confirm, Dialog, DialogCancel } from '../../../src/pages/ui/dialog.tsx';
import {
  CheckboxesField,
  NumberField,
  RadioField,
  TextAreaField,
  TextField,
} from '../../../src/pages/ui/field.tsx';
import { Form, FormActions } from '../../../src/pages/ui/form.tsx';
import { FormInput, type FormState, newForm } from '../../../src/pages/ui/form-state.ts';
import { Waiting } from '../../../src/pages/ui/live.tsx';
import { Monogram } from '../../../src/pages/ui/monogram.tsx';
import { Notice } from '../../../src/pages/ui/notice.tsx';
import { PageHeader } from '../../../src/pages/ui/page-header.tsx';
import { Picture } from '../../../src/pages/ui/picture.tsx';
import { StateBadge } from '../../../src/pages/ui/state-badge.tsx';
import { Steps } from '../../../src/pages/ui/steps.tsx';
import { Ticket } from '../../../src/pages/ui/ticket.tsx';
import { Time } from '../../../src/pages/ui/time.tsx';

const AT = '2026-11-20T10:00:00.000Z';
const LINK = 'https://notes.example/welcome?plan=studio&claim=clm_7Qm2xB9dK4sVn8Lw3RtY6ZpHcJ5fGa1Te0uXo';
const LONG = 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung';

export const GALLERY_PATHS = [
  '/gallery/refused',
  '/gallery/pictures',
  '/dashboard/gallery/states',
  '/dashboard/gallery/dialogs',
] as const;

export function galleryPages(app: PageRouter): void {
  app.get('/gallery/refused', { for: 'anyone' }, (c) =>
    page(c, <OfferForm form={refusedForm()} />, { title: 'New offer', status: 422 }),
  );
  app.get('/gallery/pictures', { for: 'anyone' }, async (c) =>
    page(c, <Pictures {...(await pictures())} />, { title: 'Pictures' }),
  );
  app.post('/gallery/form', { for: 'anyone' }, async (c) => {
    const form = await readForm(c);
    form.refuse('slug', 'The slug may contain only letters.');
    return page(c, <OfferForm form={form} />, { title: 'New offer', status: 422 });
  });
  app.get('/dashboard/gallery/states', { for: 'anyone' }, (c) => page(c, <States />, { title: 'States' }));
  app.get('/dashboard/gallery/dialogs', { for: 'anyone' }, (c) => page(c, <Dialogs />, { title: 'Dialogs' }));
  // Deliberately faulty, to test the page checks.
  app.get('/gallery/wrong', { for: 'anyone' }, (c) => page(c, <Wrong />, { title: 'Wrong' }));
}

type Pictures = Readonly<Record<'cover' | 'icon', Awaited<ReturnType<typeof encode>>>>;
let encoded: Promise<Pictures> | undefined;

function pictures(): Promise<Pictures> {
  const upload = readFileSync('docs/screenshots/claims-light.png');
  encoded ??= Promise.all([encode('cover', upload), encode('icon', upload)]).then(([cover, icon]) => ({
    cover,
    icon,
  }));
  return encoded;
}

export async function findGalleryPicture(name: string): Promise<Uint8Array | null> {
  const { cover, icon } = await pictures();
  return [...cover, ...icon].find((file) => file.name === name)?.data ?? null;
}

const NAMES = ['Acme', 'Atlas Notes', 'WW Mmm', '日本語', 'éclair', '🎟️', 'Ledger 3', 'iii', 'Zebra'];

const Pictures = ({ cover, icon }: Pictures) => (
  <>
    <PageHeader title="Pictures" />
    <div class="stack-loose">
      <Picture files={cover} alt="A claim" width={640} isFirst />
      <Picture files={icon} alt="" width={64} />
      {NAMES.map((name) => (
        <div class="row">
          <Monogram name={name} size={48} />
          <span>{name}</span>
        </div>
      ))}
    </div>
  </>
);

function refusedForm(): FormState {
  const form = new FormInput(
    new URLSearchParams([
      ['slug', '<script>'],
      ['link', 'https://notes.example/?c=claim'],
      ['limit', 'many'],
    ]),
  );
  form.refuse('slug', 'The slug may contain only lowercase letters, digits and hyphens; found "<script>".');
  form.refuse('link', 'The redemption link does not contain {claim}. Put {claim} where the token goes.');
  form.refuse(
    'limit',
    'The claim limit must be a whole number; found "Bereitstellungsgebuehrenrueckerstattung".',
  );
  form.refuse('days', 'Choose at least one.');
  form.refuse(null, 'The listing has changed since you opened this form. Check the listing and save again.');
  return form;
}

const OfferForm = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title="New offer" />
    <Form form={form} action="/gallery/form">
      <TextField form={form} name="slug" label="Address" prefix="claims.example/l/" mono />
      <RadioField
        form={form}
        name="kind"
        label="Kind"
        choices={[
          { value: 'discount', label: 'Discount', hint: 'A lower price, for a limited time or permanently.' },
          { value: 'trial', label: 'Trial' },
        ]}
        boxed
      />
      <TextField form={form} name="link" label="Redemption link" mono hint="A page of your app." />
      <NumberField
        form={form}
        name="limit"
        label="Claim limit"
        optional
        hint="The offer ends at this number of claims."
      />
      <CheckboxesField
        form={form}
        name="days"
        label="Days"
        hint="At least one."
        choices={[
          { value: 'monday', label: 'Monday', hint: 'The first.' },
          { value: 'tuesday', label: 'Tuesday' },
        ]}
      />
      <TextAreaField form={form} name="about" label="About" optional />
      <TextField form={form} name="origin" label="Pinned origin" disabled optional />
      <FormActions>
        <Button tone="primary">Save offer</Button>
      </FormActions>
    </Form>
  </>
);

const States = () => (
  <>
    <PageHeader
      title={LONG}
      badge={<StateBadge state="changes_requested" />}
      actions={
        <PostButton action="/gallery/form" tone="primary">
          Submit for review
        </PostButton>
      }
    />
    <div class="stack-loose">
      <Waiting>Waiting for your first verification…</Waiting>
      <p class="good-text">
        Verified at <Time at={AT} precision="second" />
      </p>
      <Notice tone="warn" title="A change is needed" actions={<Button small>Edit listing</Button>}>
        “Please say who it is for.” <Time at={AT} precision="second" />
      </Notice>
      <Notice tone="bad" title="A key was seen in a browser">
        Roll the key. Anyone who saw the page can use the key.
      </Notice>
      <Ticket
        kind="Gift · Atlas"
        title={LONG}
        meta="A very long word must not widen the page."
        spent
        stub={
          <>
            <StateBadge state="over" />
            <span>All 100 claims are taken.</span>
          </>
        }
      />
      <Ticket kind="Trial" title="Three months" stub={<CopyLine text="LEDGER-3M" what="the code" />} />
      <Steps
        steps={[
          { title: 'Your page answers', state: 'good', body: <p>GET got 200 after 84 ms.</p> },
          { title: 'The token stays with you', state: 'note', body: <p>Scripts run on the page.</p> },
          { title: 'Opening the link redeems nothing', state: 'bad', body: <Code text={LINK} what="it" /> },
          { title: 'Your server asks', state: 'waiting' },
          { title: LONG, state: 'later', body: <p>Known as soon as your server asks.</p> },
        ]}
      />
    </div>
  </>
);

const Dialogs = () => (
  <>
    <PageHeader
      title="API keys"
      actions={
        <Dialog id="new-key" opener="Create API key" openerTone="primary" title="Create API key">
          <Form form={newForm({ mode: 'live' })} action="/gallery/form" idPrefix="new">
            <TextField form={newForm()} idPrefix="new" name="name" label="Name" />
            <RadioField
              form={newForm({ mode: 'live' })}
              idPrefix="new"
              name="mode"
              label="Mode"
              choices={[
                { value: 'live', label: 'Live' },
                { value: 'test', label: 'Test', hint: 'Sees only test tokens.' },
              ]}
            />
            <FormActions>
              <Button tone="primary">Create</Button>
              <DialogCancel id="new-key" />
            </FormActions>
          </Form>
        </Dialog>
      }
    />
    <CopyLine text="cck_live_4hT9sWq2Lm7Zx0Vb5Nc8Rd1Kf3Gp6Yj2aB7kQ" what="the API key" />
    <Confirm
      id="revoke"
      action="/gallery/form"
      opener="Revoke…"
      openerLabel="Revoke… laptop"
      title="Revoke laptop?"
      confirm="Revoke key"
    >
      <p>Every process rejects the key from the next request on.</p>
    </Confirm>
  </>
);

const Wrong = () => (
  <>
    <PageHeader title="Wrong" />
    <small>
      <input />
    </small>
    <button type="button" class="menu-who">
      Low
    </button>
    <pre class="nowrap">{'wide '.repeat(100)}</pre>
    <script>document.title = 'ran'</script>
  </>
);
