/** Developers → Webhooks: endpoints, their deliveries, and what is sent by hand. */
import type { Limit } from '../../accounts/limits.ts';
import { isFreshProof } from '../../accounts/session.ts';
import { countAttempt } from '../../accounts/throttle.ts';
import type { Context } from '../../context.ts';
import { invalid, Refusal } from '../../errors.ts';
import {
  fragment,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
} from '../../http/pages.ts';
import { proofFirst } from '../../http/sign-in-first.tsx';
import type { Outgoing } from '../../outgoing-request.ts';
import { uuidv7 } from '../../store/uuid.ts';
import { optional } from '../../text.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { type Conflict, editForm, mergeForm } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { ADDRESS, createEndpoint, EndpointMadeBefore } from '../../webhooks/create.ts';
import { deleteEndpoint } from '../../webhooks/delete.ts';
import { disableEndpoint } from '../../webhooks/disable.ts';
import { editEndpoint } from '../../webhooks/edit.ts';
import { enableEndpoint } from '../../webhooks/enable.ts';
import {
  parseEndpointDescription,
  parseEventTypes,
  parseScheme,
  WEBHOOK_EVENT_TYPES,
} from '../../webhooks/endpoint.ts';
import { type Endpoint, findEndpoint, listEndpoints, listSecrets } from '../../webhooks/endpoint-queries.ts';
import { MAX_ATTEMPTS, recoverDeliveries, resendDelivery, sendTestEvent } from '../../webhooks/repeat.ts';
import { findDelivery } from '../../webhooks/repeat-queries.ts';
import { rollSecret } from '../../webhooks/roll-secret.ts';
import { startOfSecret } from '../../webhooks/secrets.ts';
import { countWaiting } from '../../webhooks/spread-queries.ts';
import { DeliveryLook, DeliveryPage } from './delivery-page.tsx';
import { type EndpointNotice, EndpointPage, endpointName, RECOVER_PERIODS } from './endpoint-page.tsx';
import { EditEndpointPage, EVENTS_FIELD, NewEndpointPage } from './form.tsx';
import { WebhooksPage } from './list-page.tsx';
import { deliveryPath, endpointPath, WEBHOOKS_PATH } from './paths.ts';
import { DELIVERY_FILTERS, findNewestDelivery, listAttempts, listDeliveries } from './queries.ts';
import { SecretPage } from './secret-page.tsx';

/** Deliveries of a page. */
const DELIVERIES_SHOWN = 25;
const HOUR_MS = 3_600_000;

/** Each check asks the name server of this machine for a name that the owner chose. */
const ADDRESS_CHECKS: Limit = {
  name: 'endpoint-address',
  attempts: 60,
  windowMs: HOUR_MS,
  refusal: (wait) =>
    `Your account has sent 60 addresses within an hour, which is the most. Try again in ${wait}.`,
};

const NEW_TITLE = 'Add an endpoint';
const EDIT_TITLE = 'Edit an endpoint';
const SECRET_TITLE = 'Your new endpoint';

export function webhookPages(app: PageApp, context: Context, outgoing: Outgoing): void {
  const { db, now } = context;
  const own = (c: PageContext) => ({
    accountId: requireViewer(c).accountId,
    endpointId: c.req.param('id') ?? '',
  });
  const find = (c: PageContext): Promise<Endpoint> => {
    const { accountId, endpointId } = own(c);
    return findEndpoint(db.read, accountId, endpointId);
  };

  /** A stolen session must not get events of the account, or the secret that signs them. */
  const requireProof = async (c: PageContext): Promise<void> => {
    if (!isFreshProof(requireViewer(c), now())) throw await proofFirst(c);
  };

  /** `null`: refused. Call it before the other checks, so that the form shows every problem at once. */
  const readAddress = async (form: FormInput, accountId: string): Promise<string | null> => {
    const url = form.text('url').trim();
    return form.attempt(fieldOf, async () => {
      await countAttempt(context, [[ADDRESS_CHECKS, accountId]]);
      await outgoing.check(url, ADDRESS);
      return url;
    });
  };

  const editPage = (
    c: PageContext,
    endpoint: Endpoint,
    form: FormState,
    conflicts: readonly Conflict[] = [],
  ) => {
    const { id } = endpoint;
    const { reach } = outgoing;
    return page(c, <EditEndpointPage {...{ form, reach, id, conflicts }} name={endpointName(endpoint)} />, {
      title: EDIT_TITLE,
      status: conflicts.length > 0 ? 409 : form.status,
    });
  };

  app.get(WEBHOOKS_PATH, (c) => listPage(c, requireViewer(c), false));

  app.get(`${WEBHOOKS_PATH}/new`, (c) => {
    requireViewer(c);
    const events = Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, 'yes']));
    const form = newForm({ scheme: 'hmac', form: uuidv7(context), ...events });
    return page(c, <NewEndpointPage form={form} reach={outgoing.reach} />, { title: NEW_TITLE });
  });

  // Only this answer and that of a roll ever contain a secret.
  app.post(WEBHOOKS_PATH, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    await requireProof(c);
    const url = await readAddress(form, viewer.accountId);
    const input = form.read({ description: parseDescription, scheme: parseScheme });
    const eventTypes = readEventTypes(form);
    let isRepeated = false;
    const made =
      url === null || input === null || eventTypes === null
        ? null
        : await form.attempt(
            (refusal) => {
              isRepeated = refusal instanceof EndpointMadeBefore;
              return fieldOf(refusal);
            },
            () =>
              createEndpoint(context, outgoing, {
                ...input,
                accountId: viewer.accountId,
                url,
                eventTypes,
                formId: form.text('form'),
              }),
          );
    if (isRepeated) return listPage(c, viewer, true);
    if (made === null) {
      return page(c, <NewEndpointPage form={form} reach={outgoing.reach} />, {
        title: NEW_TITLE,
        status: form.status,
      });
    }
    return page(c, <SecretPage made={made} />, { title: SECRET_TITLE });
  });

  app.get(`${WEBHOOKS_PATH}/:id`, async (c) => {
    const recovered = c.req.query('recovered') ?? '';
    return endpointPage(
      c,
      await find(c),
      /^\d{1,9}$/.test(recovered) ? { what: 'recovered', count: Number(recovered) } : null,
    );
  });

  app.get(`${WEBHOOKS_PATH}/:id/edit`, async (c) => {
    const endpoint = await find(c);
    return editPage(c, endpoint, editForm(editableValues(endpoint)));
  });

  app.post(`${WEBHOOKS_PATH}/:id/edit`, async (c) => {
    const endpoint = await find(c);
    const { form, conflicts } = mergeForm(await readForm(c), editableValues(endpoint));
    if (form.text('url').trim() !== endpoint.url) await requireProof(c);
    const url = await readAddress(form, requireViewer(c).accountId);
    const input = form.read({ description: parseDescription });
    const eventTypes = readEventTypes(form);
    if (conflicts.length > 0) return editPage(c, endpoint, form, conflicts);
    if (url !== null && input !== null && eventTypes !== null) {
      await form.attempt(fieldOf, () =>
        editEndpoint(context, outgoing, { ...own(c), ...input, url, eventTypes }),
      );
    }
    if (form.isFine) return redirect(c, endpointPath(endpoint.id));
    return editPage(c, endpoint, form);
  });

  /** A form of the page of an endpoint; a refusal is shown there. */
  const onEndpoint = (
    action: string,
    work: (c: PageContext, form: FormInput) => Promise<Response | Promise<Response>>,
  ) =>
    app.post(`${WEBHOOKS_PATH}/:id/${action}`, async (c) => {
      const endpoint = await find(c);
      const form = await readForm(c);
      const answer = await form.attempt(null, () => work(c, form));
      if (answer !== null) return answer;
      return endpointPage(
        c,
        endpoint,
        { what: 'refused', sentence: form.problems[0]!.sentence },
        form.status,
      );
    });

  onEndpoint('test', async (c) => {
    const { endpointId } = own(c);
    return redirect(c, deliveryPath(endpointId, await sendTestEvent(context, own(c))));
  });
  onEndpoint('recover', async (c, form) => {
    const period = Object.hasOwn(RECOVER_PERIODS, form.text('since'))
      ? RECOVER_PERIODS[form.text('since')]
      : undefined;
    if (period === undefined) throw invalid('Choose since when failed deliveries are sent again.');
    const since = new Date(now() - period.hours * HOUR_MS).toISOString();
    const count = await recoverDeliveries(context, { ...own(c), since });
    return redirect(c, `${endpointPath(own(c).endpointId)}?recovered=${count}`);
  });
  onEndpoint('roll', async (c, form) => {
    await requireProof(c);
    const rolled = await rollSecret(context, { ...own(c), secretId: form.text('secret') });
    return page(c, <SecretPage made={rolled} oldExpiresAt={rolled.oldExpiresAt} />, {
      title: SECRET_TITLE,
    });
  });
  onEndpoint('disable', async (c) => {
    await disableEndpoint(context, own(c));
    return redirect(c, endpointPath(own(c).endpointId));
  });
  onEndpoint('enable', async (c, form) => {
    await enableEndpoint(context, { ...own(c), sendsMissed: form.text('missed') === 'yes' });
    return redirect(c, endpointPath(own(c).endpointId));
  });
  onEndpoint('delete', async (c) => {
    await deleteEndpoint(context, own(c));
    return redirect(c, WEBHOOKS_PATH);
  });

  const DELIVERY = `${WEBHOOKS_PATH}/:id/deliveries/:delivery`;
  const readDelivery = async (c: PageContext, refusal: string | null = null) => {
    const endpoint = await find(c);
    const { accountId } = own(c);
    const delivery = await findDelivery(db.read, accountId, endpoint.id, c.req.param('delivery') ?? '');
    const attempts = await listAttempts(db.read, delivery, MAX_ATTEMPTS);
    return { endpoint, delivery, attempts, now: now(), refusal };
  };

  app.get(DELIVERY, async (c) => {
    const found = await readDelivery(c);
    return page(c, <DeliveryPage {...found} />, { title: `Delivery of ${found.delivery.type}` });
  });

  app.get(`${DELIVERY}/look`, async (c) => fragment(c, <DeliveryLook {...(await readDelivery(c))} />));

  app.post(`${DELIVERY}/resend`, async (c) => {
    const { endpoint, delivery } = await readDelivery(c);
    const form = await readForm(c);
    await form.attempt(null, () => resendDelivery(context, { ...own(c), deliveryId: delivery.id }));
    if (form.isFine) return redirect(c, deliveryPath(endpoint.id, delivery.id));
    const found = await readDelivery(c, form.problems[0]!.sentence);
    return page(c, <DeliveryPage {...found} />, {
      title: `Delivery of ${delivery.type}`,
      status: form.status,
    });
  });

  async function listPage(c: PageContext, { accountId }: Viewer, isRepeated: boolean) {
    const endpoints = await listEndpoints(db.read, accountId);
    const waiting = await countWaiting(
      db.read,
      endpoints.map(({ id }) => id),
    );
    const listed = await Promise.all(
      endpoints.map(async (endpoint) => ({
        ...endpoint,
        waiting: waiting.get(endpoint.id) ?? 0,
        newest: await findNewestDelivery(db.read, endpoint.id),
      })),
    );
    return page(c, <WebhooksPage endpoints={listed} isRepeated={isRepeated} />, {
      title: 'Webhooks',
      status: isRepeated ? 409 : 200,
    });
  }

  async function endpointPage(
    c: PageContext,
    endpoint: Endpoint,
    notice: EndpointNotice | null,
    status: 200 | 422 | 429 = 200,
  ) {
    const state = DELIVERY_FILTERS.find((one) => one === c.req.query('state')) ?? 'all';
    const after = c.req.query('after') || undefined;
    const found = await listDeliveries(db.read, endpoint.id, { state, after, limit: DELIVERIES_SHOWN + 1 });
    const deliveries = found.slice(0, DELIVERIES_SHOWN);
    const rows = await listSecrets(db.read, [endpoint.id], new Date(now()).toISOString());
    const secrets = rows.map((row) => ({ ...row, start: startOfSecret(context, row) }));
    const next = found.length > DELIVERIES_SHOWN ? deliveries.at(-1)!.id : null;
    return page(
      c,
      <EndpointPage
        {...{ endpoint, secrets, deliveries, state, next, notice }}
        isFirst={after === undefined}
      />,
      { title: `Webhook ${endpointName(endpoint)}`, status },
    );
  }
}

/** The field beside which a refusal stands. */
const fieldOf = ({ message }: Refusal): string | null => (message.startsWith(`${ADDRESS} `) ? 'url' : null);

const editableValues = (endpoint: Endpoint): Readonly<Record<string, string>> => ({
  url: endpoint.url,
  description: endpoint.description ?? '',
  ...Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => [type, endpoint.event_types.includes(type) ? 'yes' : '']),
  ),
});

const parseDescription = (text: string): string | undefined =>
  optional(text, parseEndpointDescription) ?? undefined;

/** The ticked events; `null`, with the sentence in the form, where there is none. */
function readEventTypes(form: FormInput) {
  try {
    return parseEventTypes(WEBHOOK_EVENT_TYPES.filter((type) => form.text(type) !== ''));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    form.refuse(EVENTS_FIELD, error.message);
    return null;
  }
}
