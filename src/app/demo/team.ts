/** The colleagues and the webhook endpoint of an owner in the demo. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeliverer } from '../../background/webhooks/deliver.ts';
import { createEndpoint, disableEndpoint } from '../../background/webhooks/endpoints.ts';
import type { Context } from '../../base/context.ts';
import { WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { acceptInvitation } from '../../people/invitations/accept.ts';
import { invitePeople } from '../../people/invitations/invite.ts';
import { type InviteServices, inviteMember } from '../../people/members/invite.ts';
import { parseCode } from '../../people/sign-in/codes/one-time-code.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import type { Person } from './market.ts';

interface OwnAccount {
  readonly accountId: string;
  readonly actor: `account:${string}`;
}

interface Colleague {
  readonly email: string;
  readonly personId: string;
}

/** Nobody opens the links of these mails, so any base URL works. */
const BASE_URL = 'https://claims.example';
/** Nobody reads the mails of the past, so they aren't stored. */
const createMailing = (context: Context, isReal: boolean): InviteServices => ({
  context,
  mailer: { isReal, keep: async () => {}, start: () => {} },
  baseUrl: BASE_URL,
});

export const inviteColleague = (context: Context, own: OwnAccount, email: string): Promise<unknown> =>
  inviteMember(createMailing(context, true), { ...own, role: 'member', email, address: null });

export async function addColleague(context: Context, own: OwnAccount, person: Colleague): Promise<void> {
  const { email, personId } = person;
  const invitation = { ...own, role: 'member', email, address: null } as const;
  const { link } = await inviteMember(createMailing(context, false), invitation);
  const code = parseCode(new URL(link!).hash.slice(1));
  await acceptInvitation({ context }, { code, session: { sessionId: uuidv7(context), personId } });
}

/** `by`: the operator. */
export const inviteToPublish = (context: Context, by: OwnAccount, { name, email }: Person) =>
  invitePeople(createMailing(context, true), {
    people: [{ name, email }],
    role: 'owner',
    plan: 'studio',
    note: 'We met at the makers’ fair and would love to have your app.',
    language: 'en',
    operatorId: by.accountId,
    actor: by.actor,
  });

const SENT = WEBHOOK_EVENT_TYPES.filter((type) => !type.startsWith('claim.'));
const TOOK_MS = 40;

/** A fake network that sends nothing. It answers the first request with 503 and all other requests with 200. */
function createReceiver(): Outgoing {
  let requests = 0;
  return {
    reach: 'public',
    parse: (text) => text,
    check: async () => {},
    request: async () => {
      await sleep(TOOK_MS);
      requests += 1;
      const [status, text] = requests === 1 ? [503, 'Deploying. Back in a minute.'] : [200, 'ok'];
      return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text), tls: null };
    },
    close: () => {},
  };
}

/** The schedule in `story.ts` must disable the endpoint. Otherwise, the running demo would send real requests. */
export function createDemoEndpoint(context: Context) {
  const outgoing = createReceiver();
  const deliverer = createDeliverer({ context, outgoing, baseUrl: BASE_URL, roundMs: 1 });
  let endpointId = '';
  return {
    add: async (own: OwnAccount): Promise<void> => {
      const url = 'https://hooks.lumen.example/claimcheck';
      const input = { ...own, url, description: 'Release workflow', eventTypes: SENT };
      endpointId = (await createEndpoint(context, outgoing, input)).id;
    },
    /** Sends the deliveries that are due at the context's time. */
    deliver: (): Promise<void> => deliverer.run(new AbortController().signal),
    disable: (own: OwnAccount): Promise<void> => disableEndpoint(context, { ...own, endpointId }),
  };
}
