/** Fills a database with something of everything, and notes what must still hold after an upgrade. */
import type { Service } from '../../src/app/service.ts';
import { DEFAULT_RETENTION, setRetention } from '../../src/background/personal-data/retention.ts';
import { createEndpoint } from '../../src/background/webhooks/endpoints.ts';
import { NO_ANNOUNCEMENT } from '../../src/base/brand/announcement.ts';
import type { Context } from '../../src/base/context.ts';
import { changeAnnouncement } from '../../src/base/settings/change-brand.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { addCodes } from '../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { pauseOffer } from '../../src/marketplace/offers/edit.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { planDeletion } from '../../src/people/accounts/edit.ts';
import { createKey, createOperatorKey } from '../../src/people/keys/create.ts';
import { revokeKey, rollKey } from '../../src/people/keys/end.ts';
import { SCOPES } from '../../src/people/keys/key.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/text/durations.ts';
import { toIso } from '../../src/platform/text/time-text.ts';
import { run } from '../app/cli/support.ts';
import { addSampleData, NOTES, type People } from '../pages/sample-data.ts';
import { queueMail, turnOnSecondFactor } from '../people/sign-in/support.ts';
import { issueTokens, saveBrand } from '../support/marketplace.ts';
import { PASSWORD, Person, signedInAs } from '../support/person.ts';
import type { Env } from '../support/program.ts';
import { localOutgoing, type Receiver, startReceiver } from '../support/receiver.ts';
import { startSite } from '../support/site.ts';
import { redeemClaims } from './claims.ts';
import { addLinks, addShortLived, ERASED } from './people.ts';
import { readAll, readJson, readPicture } from './reads.ts';
import type { StoredFacts } from './stored.ts';

const ACTOR = 'operator' as const;
const LINK = 'https://notes.example/welcome?claim={claim}';
const MEMBERS_ONLY = 'club';
/** Held back by the restore. */
const HELD_MAIL = { to: 'held@stored.example', text: 'Written before the restore.' };
/** Never sent: the service has no mail server. */
const PENDING_MAIL = { to: 'pending@stored.example', text: 'Written after the restore.' };
/** A network for documentation (RFC 5737). */
const ELSEWHERE = '192.0.2.0/24';
/** Webhooks go to a receiver on this machine. */
export const SETTINGS: Env = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };

interface Stage extends Service {
  readonly clock: { ms: number };
  readonly endMs: number;
  readonly people: People;
}

type Begun = Awaited<ReturnType<typeof begin>>;

/**
 * Fills the new database of a service with the environment `env`. The clock starts nine days before `endMs`. Then a
 * restore signs everyone out, and holds back mail and codes.
 */
export async function fillDatabase(env: Env, endMs: number): Promise<StoredFacts> {
  const clock = { ms: endMs - 9 * DAY_MS };
  const now = () => clock.ms;
  const open = () => startSite({ env }, SETTINGS, now);
  const before = await open();
  const begun = await begin(before, endMs).finally(() => before.stop());

  clock.ms = endMs - DAY_MS;
  const restored = await run(['after-restore', '--json'], env, { now });
  if (restored.code !== 0) throw new Error(restored.stderr);
  const held = JSON.parse(restored.stdout) as { held_mails: number; withheld_codes: number };

  const service = await open();
  try {
    const facts = await proceed({ ...service, clock, endMs, people: begun.people }, begun);
    return {
      secretKey: env['SECRET_KEY']!,
      ...facts,
      heldMails: held.held_mails,
      withheldCodes: held.withheld_codes,
    };
  } finally {
    await service.stop();
  }
}

async function begin(service: Service, endMs: number) {
  const { context } = service;
  const person = (name: string, more = {}) =>
    signedInAs(service, { email: `${name}@stored.example`, name, ...more });
  const people: People = {
    operator: await person('olga', { operator: true }),
    owner: await person('adele', { plan: 'studio' }),
    coOwner: await person('cora'),
    member: await person('milo'),
    removed: await person('remo'),
    claimant: await person('bo'),
    stranger: await person('eve', { plan: 'studio' }),
  };
  const { operator } = people;
  const factor = await turnOnSecondFactor(operator.person, context.now);
  const { ids } = await addSampleData(service, people);
  const change = { operatorId: operator.accountId, actor: `account:${operator.accountId}` } as const;
  await saveBrand(context, operator.accountId, { name: 'Stored Market', headline: 'Offers that last' });
  await changeAnnouncement(context, {
    ...change,
    announcement: { ...NO_ANNOUNCEMENT, text: 'We are moving.' },
  });
  await setRetention(context, { ...change, retention: { ...DEFAULT_RETENTION, mailDays: 30 } });

  const ends = toIso(endMs - DAY_MS);
  const offers = {
    sale: ids.offer,
    expired: await addOffer(context, { offer: 'A day only', redemption_link: LINK, ends_at: ends }),
    limited: await addOffer(context, { offer: 'For one person', redemption_link: LINK, claim_limit: '1' }),
    paused: await addOffer(context, { offer: 'Paused later', redemption_link: LINK }),
    withheld: await addOffer(context, { offer: 'Codes of before', code_list: 'close' }),
    codes: await addOffer(context, {
      offer: 'Codes',
      redemption_link: LINK,
      code_list: 'shared_code',
      code: 'ALL',
    }),
  };
  await addCodes(context, { offerId: offers.withheld, actor: ACTOR, lines: codeLines('BEFORE') });
  await addShortLived(context, offers.sale);
  const tokenOf = async (offerId: string) => (await issueTokens(context, { offerId }, 1))[0]!;
  const tokens = {
    expired: await tokenOf(offers.expired),
    limited: await tokenOf(offers.limited),
    paused: await tokenOf(offers.paused),
  };
  await pauseOffer(context, { offerId: offers.paused, actor: ACTOR });
  await queueMail(context, HELD_MAIL.to, HELD_MAIL.text);
  return { people, factor, offers, tokens };
}

const addOffer = async (context: Context, offer: Readonly<Record<string, string>>): Promise<string> =>
  (await createOffer(context, { listing: NOTES, offer: '', kind: 'discount', ...offer, actor: ACTOR })).id;

const codeLines = (prefix: string) =>
  [1, 2, 3].map((line) => ({ line, text: `${prefix}-${line}-OF-THE-LIST` }));

async function proceed(
  stage: Stage,
  begun: Begun,
): Promise<Omit<StoredFacts, 'heldMails' | 'secretKey' | 'withheldCodes'>> {
  const { context, clock, endMs, people } = stage;
  const { owner, operator, claimant } = people;
  const { offers } = begun;
  const leaving = await createAccount(context, { email: 'dora@stored.example', name: 'dora', actor: ACTOR });
  const { delete_at } = await planDeletion(context, { account: leaving.id, actor: ACTOR, notice: null });
  const keys = await addKeys(context, owner.accountId);
  const operatorKey = await createOperatorKey(context, {
    account: operator.accountId,
    name: 'Reader',
    scopes: SCOPES,
    actor: ACTOR,
  });
  const club = await createListing(context, {
    account: owner.accountId,
    slug: MEMBERS_ONLY,
    name: 'Members Only',
    url: 'https://club.example/',
    visibility: 'members',
    upTo: 'approved',
    actor: ACTOR,
  });
  await addCodes(context, { offerId: offers.codes, actor: ACTOR, lines: codeLines('LATER') });
  await queueMail(context, PENDING_MAIL.to, PENDING_MAIL.text);

  const open = await addOffer(context, { offer: 'For a hundred', redemption_link: LINK, claim_limit: '100' });

  clock.ms = endMs - HOUR_MS;
  const links = await addLinks(stage, { people, listingId: club.id, limitedOffer: open });
  const { claimId } = await claimOffer(context, {
    claimantAccountId: claimant.accountId,
    listing: NOTES,
    offerId: offers.codes,
    via: 'newsletter',
  });
  clock.ms = endMs - 2 * MINUTE_MS;
  const receiver = await startReceiver();
  const delivery = await failDeliveries(stage, receiver).finally(() => receiver.close());
  clock.ms = endMs;
  const { calls, redeemable, redeemedId } = await redeemClaims(stage, begun, keys);
  await runJobs(stage);

  const browser = new Person(stage.baseUrl);
  await browser.signIn(owner.email);
  const exported = await browser.get('/dashboard/claims/export.csv');
  const shopper = new Person(stage.baseUrl);
  await shopper.signIn(claimant.email);
  const claimPath = `/claims/${claimId}`;
  const claimCode = /LATER-\d-OF-THE-LIST/.exec((await shopper.get(claimPath)).text)?.[0];
  if (exported.status !== 200 || claimCode === undefined) throw new Error('A page lacks what was stored.');
  const receipt = `/api/v1/marketplace/claims/${redeemedId}/receipt`;
  const signed = (await readJson(stage, receipt, keys.live)) as { readonly receipt: string };
  return {
    owner: { ...stored(owner), cookie: browser.cookie },
    operator: {
      ...stored(operator),
      appSecret: begun.factor.secret,
      backupCode: begun.factor.backupCodes[0]!,
    },
    claimant: { ...stored(claimant), claimPath, claimCode },
    liveKey: keys.live,
    elsewhereKey: keys.elsewhere,
    redeemable,
    calls,
    reads: await readAll(stage, {
      api: keys.live,
      test: keys.test,
      operator: operatorKey.key,
    }),
    receipt: { path: receipt, receipt: signed.receipt },
    exportedClaims: exported.text,
    picture: await readPicture(stage),
    membersOnly: MEMBERS_ONLY,
    delivery,
    mails: [HELD_MAIL, PENDING_MAIL],
    deletion: { accountId: leaving.id, at: delete_at! },
    links,
    erased: ERASED,
  };
}

const stored = ({ email, accountId }: { readonly email: string; readonly accountId: string }) => ({
  email,
  accountId,
  password: PASSWORD,
});

async function addKeys(context: Context, account: string) {
  const actor = `account:${account}` as const;
  const add = (name: string, mode: 'live' | 'test', networks?: string) =>
    createKey(context, { account, name, mode, actor, ...(networks !== undefined && { networks }) });
  const [live, test, elsewhere, revoked, old] = [
    await add('Shop', 'live'),
    await add('Shop tests', 'test'),
    await add('Warehouse', 'live', ELSEWHERE),
    await add('Lost', 'live'),
    await add('Rolled', 'live'),
  ];
  await revokeKey(context, { keyId: revoked.id, accountId: account, actor });
  const rolled = await rollKey(context, { keyId: old.id, accountId: account, actor, keepOld: '7d' });
  return {
    live: live.key,
    test: test.key,
    elsewhere: elsewhere.key,
    revoked: revoked.key,
    old: old.key,
    rolled: rolled.key,
  };
}

/** Lets an owner's webhook fail twice within two minutes, so that it is due again after five. */
async function failDeliveries(stage: Stage, receiver: Receiver): Promise<StoredFacts['delivery']> {
  const { context, clock, people } = stage;
  receiver.answer = (_, response) => response.writeHead(500).end();
  const { id, secret } = await createEndpoint(context, localOutgoing(), {
    accountId: people.owner.accountId,
    actor: `account:${people.owner.accountId}`,
    url: receiver.url,
    eventTypes: ['offer.changed'],
  });
  await addOffer(context, { offer: 'Announced by a webhook', code: 'HOOK' });
  for (let sent = 0; sent < 2; sent += 1) {
    await runJobs(stage, 'Send webhooks');
    clock.ms += MINUTE_MS;
  }
  const [first] = receiver.received;
  if (first === undefined || receiver.received.length !== 2)
    throw new Error('The webhook did not fail twice.');
  return { endpointId: id, secret, messageId: first.headers['webhook-id']!, payload: first.body };
}

/** Runs all due jobs, or one job. */
async function runJobs({ jobs }: Service, name?: string): Promise<void> {
  for (const job of jobs.jobs) if (name === undefined || job.name === name) await jobs.runIfDue(job);
}
