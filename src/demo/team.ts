/** The people who work with an owner of the demo, and the endpoint that gets this owner's events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCode } from '../accounts/one-time-code.ts';
import type { Context } from '../context.ts';
import { inviteMember } from '../members/invite.ts';
import { acceptInvitation } from '../members/join.ts';
import type { Outgoing } from '../network/outgoing-request.ts';
import { uuidv7 } from '../store/uuid.ts';
import { createDeliverer } from '../webhooks/deliver.ts';
import { WEBHOOK_EVENT_TYPES } from '../webhooks/endpoint.ts';
import { createEndpoint, disableEndpoint } from '../webhooks/endpoints.ts';

interface OwnAccount {
  readonly accountId: string;
  readonly actor: `account:${string}`;
}

/** Nobody opens the links of these invitations, so their address doesn't matter. */
const BASE_URL = 'https://claims.example';
const NO_MAIL = { isReal: false, keep: async () => {}, start: () => {} };

/** Returns the link of the invitation. */
export async function inviteColleague(context: Context, own: OwnAccount, email: string): Promise<string> {
  const services = { context, mailer: NO_MAIL, baseUrl: BASE_URL };
  return (await inviteMember(services, { ...own, role: 'member', email })).link!;
}

export async function joinTeam(context: Context, link: string, personId: string): Promise<void> {
  const code = parseCode(new URL(link).hash.slice(1));
  await acceptInvitation({ context }, { code, session: { sessionId: uuidv7(context), personId } });
}

const SENT = WEBHOOK_EVENT_TYPES.filter((type) => !type.startsWith('claim.'));
const TOOK_MS = 40;

/** A fake network, so that nothing is really sent. The first request gets a 503, as during a deployment. */
function createAnswers(): Outgoing {
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

/** The endpoint has to be disabled at the end of the demo's story. Otherwise, the service would send requests to it. */
export function createDemoEndpoint(context: Context) {
  const outgoing = createAnswers();
  const deliverer = createDeliverer({ context, outgoing, roundMs: 1 });
  let endpointId = '';
  return {
    add: async (own: OwnAccount): Promise<void> => {
      const url = 'https://hooks.lumen.example/claimcheck';
      const input = { ...own, url, description: 'Release workflow', eventTypes: SENT };
      endpointId = (await createEndpoint(context, outgoing, input)).id;
    },
    /** Sends what is due at the time of the context. */
    deliver: (): Promise<void> => deliverer.run(new AbortController().signal),
    disable: (own: OwnAccount): Promise<void> => disableEndpoint(context, { ...own, endpointId }),
  };
}
