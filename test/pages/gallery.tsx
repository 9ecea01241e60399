/** Every component in every state, on pages that only the tests serve. */
import { invalid } from '../../src/errors.ts';
import { fragment, type PageApp, page, readForm, redirect } from '../../src/http/pages.ts';
import { Breadcrumb } from '../../src/ui/breadcrumb.tsx';
import { Button, ButtonLink, PostButton, ShortcutSwitch } from '../../src/ui/button.tsx';
import { Chart, ShareBar } from '../../src/ui/chart.tsx';
import { CheckList } from '../../src/ui/check-list.tsx';
import { Code, CopyLine, ExternalLink, Mono, More } from '../../src/ui/code.tsx';
import { Confirm, Dialog, DialogCancel } from '../../src/ui/dialog.tsx';
import { DefinitionList, Figures, Timeline } from '../../src/ui/facts.tsx';
import {
  CheckboxesField,
  CheckboxField,
  DateField,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../src/ui/field.tsx';
import { FilterBar, Results, Tabs } from '../../src/ui/filter-bar.tsx';
import { Form, FormActions } from '../../src/ui/form.tsx';
import { FormInput, type FormState, newForm } from '../../src/ui/form-state.ts';
import { Live, Waiting } from '../../src/ui/live.tsx';
import { EmptyState, Notice } from '../../src/ui/notice.tsx';
import { PageHeader } from '../../src/ui/page-header.tsx';
import { QrCode } from '../../src/ui/qr-code.tsx';
import { StateBadge } from '../../src/ui/state-badge.tsx';
import { Steps } from '../../src/ui/steps.tsx';
import { Pager, Table } from '../../src/ui/table.tsx';
import { Ticket } from '../../src/ui/ticket.tsx';
import { Num, percentText, Time } from '../../src/ui/time.tsx';

const AT = '2026-11-20T10:00:00.000Z';
const TOKEN = 'clm_7Qm2xB9dK4sVn8Lw3RtY6ZpHcJ5fGa1Te0uXo';
const LINK = `https://notes.example/welcome?plan=studio&claim=${TOKEN}`;
const LONG = 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung';

export const GALLERY_PATHS = [
  '/gallery/marketplace',
  '/gallery/claim',
  '/gallery/empty',
  '/gallery/sign-in',
  '/gallery/refused',
  '/dashboard/gallery/start',
  '/dashboard/gallery/claims',
  '/dashboard/gallery/listing',
  '/dashboard/gallery/campaigns',
  '/dashboard/gallery/keys',
  '/desk/gallery/review',
] as const;

export function galleryPages(app: PageApp): void {
  app.get('/gallery/marketplace', (c) => page(c, <Marketplace />, { title: 'Marketplace' }));
  app.get('/gallery/claim', (c) => page(c, <Claim />, { title: 'Your claim' }));
  app.get('/gallery/empty', (c) => page(c, <Empty />, { title: 'My claims' }));
  app.get('/gallery/sign-in', (c) =>
    page(c, <SignIn form={newForm()} />, { title: 'Sign in', audience: 'bare' }),
  );
  app.get('/gallery/refused', (c) =>
    page(c, <OfferForm form={refusedForm()} />, { title: 'New offer', status: 422 }),
  );
  app.get('/dashboard/gallery/start', (c) => page(c, <Start />, { title: 'Start' }));
  app.get('/dashboard/gallery/claims', (c) =>
    page(c, <Claims kind={c.req.query('kind') ?? ''} />, { title: 'Claims' }),
  );
  app.get('/dashboard/gallery/listing', (c) => page(c, <Listing />, { title: 'Notes' }));
  app.get('/dashboard/gallery/campaigns', (c) => page(c, <Campaigns />, { title: 'Campaigns' }));
  app.get('/dashboard/gallery/keys', (c) => page(c, <Keys />, { title: 'API keys' }));
  app.get('/desk/gallery/review', (c) => page(c, <Review />, { title: 'Notes' }));

  // Wrong on purpose: the checks of pages must find it.
  app.get('/gallery/wrong', (c) => page(c, <Wrong />, { title: 'Wrong' }));

  let looks = 0;
  app.get('/gallery/live', (c) => {
    looks += 1;
    return fragment(c, <LivePart looks={looks} />);
  });
  app.post('/gallery/form', async (c) => {
    const form = await readForm(c);
    const input = form.read({ slug: parseSlug });
    if (input === null) return page(c, <OfferForm form={form} />, { title: 'New offer', status: 422 });
    return redirect(c, '/gallery/marketplace');
  });
}

function parseSlug(text: string): string {
  if (!/^[a-z]+$/.test(text)) throw invalid(`The slug has letters only; found ${JSON.stringify(text)}.`);
  return text;
}

function refusedForm(): FormState {
  const form = new FormInput(
    new URLSearchParams([
      ['offer', '20 % off'],
      ['slug', '<script>'],
      ['kind', 'trial'],
      ['link', 'https://notes.example/?c=claim'],
      ['limit', 'many'],
      ['notify', 'yes'],
    ]),
  );
  form.refuse('slug', 'The slug has lower-case letters, digits and hyphens; found "<script>".');
  form.refuse('link', 'The redemption link does not hold {claim}; put it where the token goes.');
  form.refuse('limit', 'The claim limit is a whole number; found "Bereitstellungsgebuehrenrueckerstattung".');
  form.refuse('kinds', 'Choose at least one.');
  form.refuse(null, 'The listing was changed meanwhile. Look at it and save again.');
  return form;
}

const Marketplace = () => (
  <>
    <PageHeader
      title="Offers from apps worth trying"
      lead="Claim an offer and take its ticket to the app. Every claim is yours and is redeemed once."
    />
    <FilterBar
      action="/gallery/marketplace"
      results="offers"
      isFiltered
      filters={[
        { name: 'q', label: 'Search', value: '', placeholder: 'App or offer' },
        {
          name: 'kind',
          label: 'Kind',
          value: '',
          choices: [
            { value: '', label: 'Every kind' },
            { value: 'discount', label: 'Discount' },
          ],
        },
      ]}
    />
    <Results id="offers">
      <div class="stack">
        <Ticket
          kind="Discount · Notes"
          title={<a href="/gallery/claim">20 % off the first year</a>}
          meta="For teams that write things down. Until 31 Dec 2026."
          stub={
            <>
              <span class="nowrap">
                <Num value={1240} /> claimed
              </span>
              <ButtonLink href="/gallery/claim" tone="primary">
                Claim offer
              </ButtonLink>
            </>
          }
        />
        <Ticket
          kind="Trial · Ledger"
          title="Three months of everything"
          meta="Code only: it goes in at checkout."
          stub={<CopyLine text="LEDGER-3M" what="the code" />}
        />
        <Ticket
          kind="Gift · Atlas"
          title={LONG}
          meta="A name without a place to break must not widen the page."
          spent
          stub={
            <>
              <StateBadge state="over" />
              <span>All 100 claims are taken.</span>
            </>
          }
        />
      </div>
    </Results>
    <Pager previous={null} next="/gallery/marketplace?after=3" />
  </>
);

const Claim = () => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['My claims', '/claims']]} />}
      title="20 % off the first year"
      badge={<StateBadge state="claimed" />}
      lead="Open the app with your ticket: it arrives in the link and is redeemed there."
    />
    <div class="columns">
      <div class="stack">
        <Ticket
          kind="Discount · Notes"
          title="20 % off the first year"
          meta={
            <>
              Claimed <Time at={AT} />
            </>
          }
          stub={
            <PostButton action="/gallery/form" tone="primary">
              Go to Notes
            </PostButton>
          }
        />
        <Notice>
          The button leaves for <ExternalLink href="https://notes.example">notes.example</ExternalLink>.
        </Notice>
        <section class="section">
          <h2>What happened</h2>
          <Timeline
            entries={[
              { what: 'Claimed', when: <Time at={AT} />, state: 'done' },
              {
                what: 'Opened',
                when: <Time at="2026-11-20T10:00:07.000Z" precision="second" />,
                state: 'done',
                detail: 'On the page of Notes',
              },
              { what: 'Tried with a revoked key', when: <Time at={AT} />, state: 'bad' },
              { what: 'Not redeemed yet', state: 'open' },
            ]}
          />
        </section>
      </div>
      <aside class="card">
        <QrCode text={LINK} label="QR code of your link" caption="Go on by phone" />
        <More summary="Show the link">
          <Code text={LINK} what="the link" />
        </More>
      </aside>
    </div>
  </>
);

const Empty = () => (
  <>
    <PageHeader title="My claims" />
    <EmptyState
      sentence="Offers you claim are kept here, with their links and codes."
      action={
        <ButtonLink href="/gallery/marketplace" tone="primary">
          Browse offers
        </ButtonLink>
      }
      example={
        <Ticket kind="Example" title="20 % off the first year" stub={<StateBadge state="claimed" />} />
      }
    />
  </>
);

const SignIn = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title="Sign in" lead="To claim 20 % off the first year of Notes." />
    <div class="card">
      <Form form={form} action="/gallery/form">
        <TextField form={form} name="email" label="E-mail" type="email" autocomplete="username" autofocus />
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          hint={<a href="/forgot-password">Forgot it?</a>}
        />
        <Button tone="primary" wide>
          Sign in
        </Button>
        <Button wide>Use a passkey</Button>
      </Form>
    </div>
    <p class="top-space small-text soft-text">
      New here? <a href="/sign-up">Sign up</a>
    </p>
  </>
);

const KINDS = [
  { value: 'discount', label: 'Discount', hint: 'A lower price, for a while or for ever.' },
  { value: 'trial', label: 'Trial', hint: 'Longer or larger than the usual one.' },
  { value: 'gift', label: 'Gift' },
];

const OfferForm = ({ form }: { form: FormState }) => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            ['Listings', '/dashboard/listings'],
            ['Notes', '/dashboard/listings/1'],
          ]}
        />
      }
      title="New offer"
      lead="What people get, and the page of yours that takes their ticket."
    />
    <Form form={form} action="/gallery/form">
      <TextField
        form={form}
        name="offer"
        label="Offer"
        hint="As people read it: “20 % off the first year”."
      />
      <TextField form={form} name="slug" label="Address" prefix="claims.example/l/" mono />
      <RadioField form={form} name="kind" label="Kind" choices={KINDS} boxed />
      <TextField
        form={form}
        name="link"
        label="Redemption link"
        mono
        hint={
          <>
            A page of yours, with <code>{'{claim}'}</code> where the token goes.
          </>
        }
      />
      <TextField form={form} name="code" label="Shared code" optional mono short />
      <NumberField form={form} name="limit" label="Claim limit" optional hint="Then the offer is over." />
      <DateField form={form} name="ends" label="Last day" optional />
      <SelectField
        form={form}
        name="plan"
        label="Plan"
        choices={[
          { value: 'starter', label: 'Starter' },
          { value: 'studio', label: 'Studio' },
        ]}
      />
      <CheckboxField
        form={form}
        name="notify"
        label="Tell me about the first claim"
        hint="By e-mail, once."
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
        <ButtonLink href="/gallery/marketplace" tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);

const LivePart = ({ looks }: { looks: number }) => (
  <Live id="first-verification" path="/gallery/live" everyMs={looks < 3 ? 200 : null}>
    {looks < 3 ? (
      <Waiting>Waiting for your first verification…</Waiting>
    ) : (
      <p class="good-text">
        Verified at <Time at={AT} precision="second" />
      </p>
    )}
  </Live>
);

const Start = () => (
  <>
    <PageHeader title="Start" lead="Four steps to your first redeemed claim." />
    <div class="stack-loose">
      <Steps
        steps={[
          { title: 'Publish your app', state: 'done' },
          { title: 'Point the offer at your page', state: 'done' },
          {
            title: 'Create an API key',
            state: 'now',
            body: (
              <div class="stack">
                <p>Your server sends it with every verification. It is shown once.</p>
                <p>
                  <ButtonLink href="/dashboard/settings/keys" tone="primary">
                    Create API key
                  </ButtonLink>
                </p>
              </div>
            ),
          },
          { title: 'Verify a claim', state: 'later', body: <LivePart looks={0} /> },
        ]}
      />
      <Figures
        figures={[
          ['Claims', <Num value={12480} />],
          ['Redeemed', <Num value={9313} />],
          ['Rate', percentText(9313, 12480)],
          ['Labels', <Num value={5} />],
        ]}
      />
      <section class="stack">
        <h2>From here</h2>
        <CheckList
          items={[
            { title: 'Your page answers', state: 'good', body: <p>GET answered 200 after 84 ms.</p> },
            { title: 'The token stays with you', state: 'note', body: <p>Scripts run on the page.</p> },
            { title: 'Opening the link redeems nothing', state: 'bad', body: <Code text={LINK} what="it" /> },
            { title: 'Your server asks', state: 'waiting', body: <p>Under way…</p> },
            { title: LONG, state: 'later', body: <p>Known as soon as your server asks.</p> },
            { title: 'The claim is redeemed', state: 'later' },
          ]}
        />
      </section>
      <section class="section">
        <div class="spread">
          <h2>Try it from your server</h2>
        </div>
        <Code
          what="the command"
          text={`curl https://claims.example/api/v1/marketplace/claims/verify \\\n  -H "Authorization: Bearer $CLAIMCHECK_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"token": "${TOKEN}", "redeem": true}'`}
        />
      </section>
    </div>
  </>
);

const CLAIMS = Array.from({ length: 12 }, (_, index) => ({
  id: `018f3c5e-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
  offer: index % 3 === 0 ? 'Three months of everything' : '20 % off the first year',
  via: index % 4 === 0 ? null : `spring-${index}`,
  state: index % 2 === 0 ? ('redeemed' as const) : ('claimed' as const),
  at: `2026-11-${String(20 - index).padStart(2, '0')}T1${index % 10}:0${index % 6}:00.000Z`,
}));

const Claims = ({ kind }: { kind: string }) => (
  <>
    <PageHeader
      title="Claims"
      actions={
        <ButtonLink href="/dashboard/claims/export.csv" download>
          Export CSV
        </ButtonLink>
      }
    />
    <Tabs
      label="State"
      tabs={[
        { label: 'All', href: '/dashboard/gallery/claims', isCurrent: true },
        { label: 'Redeemed', href: '/dashboard/gallery/claims?state=redeemed', isCurrent: false },
        { label: 'Not redeemed', href: '/dashboard/gallery/claims?state=claimed', isCurrent: false },
      ]}
    />
    <FilterBar
      action="/dashboard/gallery/claims"
      results="claims"
      isFiltered={kind !== ''}
      filters={[
        { name: 'q', label: 'Token or claim id', value: '' },
        {
          name: 'kind',
          label: 'Kind',
          value: kind,
          choices: [
            { value: '', label: 'Every kind' },
            { value: 'trial', label: 'Trial' },
          ],
        },
        { name: 'since', label: 'Since', value: '', type: 'date' },
      ]}
    />
    <Results id="claims">
      <Table
        caption="Claims"
        rows={kind === '' ? CLAIMS : CLAIMS.slice(0, 3)}
        columns={[
          {
            header: 'Offer',
            isName: true,
            cell: ({ id, offer }) => (
              <>
                <a href={`/dashboard/claims/${id}`}>{offer}</a>
                <span class="sub">Notes</span>
              </>
            ),
          },
          { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          {
            header: 'Label',
            cell: ({ via }) => (via === null ? <span class="quiet-text">none</span> : <Mono>{via}</Mono>),
          },
          { header: 'Claimed', cell: ({ at }) => <Time at={at} />, isNowrap: true },
          {
            header: 'Actions',
            isActions: true,
            cell: ({ id }) => (
              <ButtonLink href={`/dashboard/claims/${id}`} small label={`Open claim ${id.slice(-2)}`}>
                Open
              </ButtonLink>
            ),
          },
        ]}
        pager={<Pager previous="?before=1" next="?after=12" summary="12,480 claims" />}
      />
    </Results>
  </>
);

const Listing = () => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Listings', '/dashboard/listings']]} />}
      title="Notes"
      badge={<StateBadge state="changes_requested" />}
      lead="A calm place for what a team knows."
      actions={
        <>
          <ButtonLink href="/dashboard/listings">Preview</ButtonLink>
          <PostButton action="/gallery/form" tone="primary">
            Submit for review
          </PostButton>
        </>
      }
    />
    <div class="columns">
      <div class="stack">
        <Notice
          tone="warn"
          title="The operator asked for a change"
          actions={<Button small>Edit listing</Button>}
        >
          “Please say who it is for.” <Time at={AT} />
        </Notice>
        <Notice tone="good" title="Saved">
          The live version stays as it is until the new one is approved.
        </Notice>
        <Notice tone="bad" title="A key was seen in a browser">
          Roll it: anyone who saw the page can use it.
        </Notice>
        <section class="card">
          <div class="spread">
            <h2>Offers</h2>
            <ButtonLink href="/dashboard/listings" small>
              New offer
            </ButtonLink>
          </div>
          <div class="stack">
            <Ticket
              kind="Discount"
              heading="h3"
              title="20 % off the first year"
              stub={<StateBadge state="open" />}
            />
            <Ticket
              kind="Trial"
              heading="h3"
              title="Three months"
              stub={
                <>
                  <StateBadge state="paused" />
                  <StateBadge state="in_review" />
                </>
              }
            />
          </div>
        </section>
      </div>
      <aside class="card">
        <h2>Facts</h2>
        <DefinitionList
          facts={[
            ['Address', <a href="/l/notes">/l/notes</a>],
            ['Link', <Mono>{LINK}</Mono>],
            ['Created', <Time at={AT} precision="day" />],
            null,
            ['Origin', <ExternalLink href="https://notes.example" />],
          ]}
        />
        <div class="top-space row">
          <Confirm
            id="withdraw"
            action="/gallery/form"
            opener="Withdraw…"
            title="Withdraw Notes?"
            confirm="Withdraw listing"
          >
            <p>It takes no new claims. Claims already made stay redeemable.</p>
          </Confirm>
        </div>
      </aside>
    </div>
  </>
);

const DAYS = Array.from({ length: 30 }, (_, index) => `${index + 1} Nov`);
const LABELS = [
  { via: 'spring', claims: 8200, redeemed: 6900 },
  { via: 'newsletter-14', claims: 3100, redeemed: 1800 },
  { via: null, claims: 1180, redeemed: 613 },
];

const Campaigns = () => (
  <>
    <PageHeader title="Campaigns" />
    <div class="stack-loose">
      <section class="card">
        <Chart
          title="Claims and redemptions"
          days={DAYS}
          series={[
            {
              name: 'Claims',
              values: DAYS.map((_, index) => Math.round(240 + 160 * Math.sin(index / 3) + index * 9)),
            },
            {
              name: 'Redeemed',
              values: DAYS.map((_, index) => Math.round(160 + 120 * Math.sin(index / 3) + index * 7)),
            },
          ]}
        />
      </section>
      <Table
        caption="Labels"
        rows={LABELS}
        columns={[
          {
            header: 'Label',
            isName: true,
            cell: ({ via }) =>
              via === null ? 'No label' : <a href={`/dashboard/claims?via=${via}`}>{via}</a>,
          },
          { header: 'Claims', isNumeric: true, cell: ({ claims }) => <Num value={claims} /> },
          { header: 'Redeemed', isNumeric: true, cell: ({ redeemed }) => <Num value={redeemed} /> },
          {
            header: 'Rate',
            isNumeric: true,
            cell: ({ claims, redeemed }) => (
              <>
                {percentText(redeemed, claims)}
                <ShareBar share={redeemed / claims} />
              </>
            ),
          },
        ]}
      />
      <section class="card">
        <h2>Share link</h2>
        <CopyLine text="https://claims.example/l/notes?via=newsletter-14" what="the share link" />
      </section>
    </div>
  </>
);

const Keys = () => (
  <>
    <PageHeader
      title="API keys"
      lead="Your server proves with a key that it may verify your claims."
      actions={
        <Dialog id="new-key" opener="Create API key" openerTone="primary" title="Create API key">
          <Form form={newForm({ mode: 'live' })} action="/gallery/form" idPrefix="new">
            <TextField
              form={newForm()}
              idPrefix="new"
              name="name"
              label="Name"
              hint="Where it is used: “shop server”."
            />
            <RadioField
              form={newForm({ mode: 'live' })}
              idPrefix="new"
              name="mode"
              label="Mode"
              choices={[
                { value: 'live', label: 'Live' },
                { value: 'test', label: 'Test', hint: 'Sees test tokens alone.' },
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
    <div class="stack-loose">
      <Notice tone="good" title="This is your key. It is shown this once.">
        <div class="stack">
          <CopyLine text="cck_live_4hT9sWq2Lm7Zx0Vb5Nc8Rd1Kf3Gp6Yj2aB7kQ" what="the API key">
            <Button small>Download claimcheck.env</Button>
          </CopyLine>
        </div>
      </Notice>
      <Table
        caption="API keys"
        rows={[
          { name: 'shop server', start: '4hT9', state: 'active' as const },
          { name: 'old shop server', start: 'b72K', state: 'expiring' as const },
          { name: 'laptop', start: 'Zx0V', state: 'revoked' as const },
        ]}
        columns={[
          {
            header: 'Name',
            isName: true,
            cell: ({ name, start }) => (
              <>
                {name}
                <span class="sub">
                  <Mono>cck_live_{start}…</Mono>
                </span>
              </>
            ),
          },
          { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { header: 'Created', cell: () => <Time at={AT} precision="day" />, isNowrap: true },
          { header: 'Last used', cell: () => <Time at={AT} />, isNowrap: true },
          {
            header: 'Actions',
            isActions: true,
            cell: ({ name, start }) => (
              <Confirm
                id={`revoke-${start}`}
                action="/gallery/form"
                opener="Revoke…"
                openerLabel={`Revoke… ${name}`}
                small
                title={`Revoke ${name}?`}
                confirm="Revoke key"
              >
                <p>Every process refuses it from the next request on.</p>
              </Confirm>
            ),
          },
        ]}
      />
    </div>
  </>
);

const Review = () => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Listings', '/desk/listings']]} />}
      title="Notes"
      badge={<StateBadge state="pending" />}
      lead="Submitted by Ada Acme. Two more wait."
    />
    <div class="columns">
      <section class="card">
        <h2>What is new</h2>
        <Table
          caption="Differences"
          rows={[
            { what: 'Name', before: 'Notes', after: 'Notes for teams' },
            { what: 'Link', before: 'https://notes.example/claim', after: LINK },
          ]}
          columns={[
            { header: 'Field', cell: ({ what }) => what, isName: true },
            { header: 'Live now', cell: ({ before }) => <Mono>{before}</Mono> },
            { header: 'Submitted', cell: ({ after }) => <Mono>{after}</Mono> },
          ]}
        />
      </section>
      <aside class="card">
        <h2>Decide</h2>
        <div class="stack">
          <PostButton action="/gallery/form" tone="primary" shortcut="a" wide>
            Approve
          </PostButton>
          <Dialog id="changes" opener="Ask for changes…" shortcut="c" title="Ask for changes">
            <Form form={newForm()} action="/gallery/form" idPrefix="changes">
              <TextAreaField form={newForm()} idPrefix="changes" name="reason" label="What should change" />
              <FormActions>
                <Button tone="primary">Send</Button>
                <DialogCancel id="changes" />
              </FormActions>
            </Form>
          </Dialog>
          <ShortcutSwitch />
        </div>
      </aside>
    </div>
  </>
);

const Wrong = () => (
  <>
    <PageHeader title="Wrong" />
    <input />
    <button type="button" class="menu-who">
      Low
    </button>
    <pre class="nowrap">{'wide '.repeat(100)}</pre>
    <script>document.title = 'ran'</script>
  </>
);
