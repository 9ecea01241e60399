import { findDelivery } from '../../../background/webhooks/delivery-queries.ts';
import {
  eventTypesFor,
  parseEndpointDescription,
  parseEventTypes,
} from '../../../background/webhooks/endpoint.ts';
import { type Endpoint, findEndpoint, listEndpoints } from '../../../background/webhooks/endpoint-queries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  ENDPOINT_URL,
  type EndpointInput,
  type EndpointToChange,
  editEndpoint,
  enableEndpoint,
  rollSecret,
} from '../../../background/webhooks/endpoints.ts';
import { formatFor } from '../../../background/webhooks/formats.ts';
import { recoverDeliveries, resendDelivery, sendTestEvent } from '../../../background/webhooks/repeat.ts';
import { shownSecrets } from '../../../background/webhooks/signing.ts';
import type { Context } from '../../../base/context.ts';
import { type EventType, WEBHOOK_EVENT_TYPES } from '../../../base/events/catalogue.ts';
import type { Limit } from '../../../people/sign-in/limits/limits.ts';
import { countAttempt } from '../../../people/sign-in/limits/throttle.ts';
import { invalid, type Refusal } from '../../../platform/errors.ts';
import { Message, message, t } from '../../../platform/languages/translate.ts';
import type { Outgoing } from '../../../platform/network/outgoing-request.ts';
import { takePage } from '../../../platform/store/database.ts';
import { MARKETPLACE_ID } from '../../../platform/store/tables/webhooks.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { HOUR_MS } from '../../../platform/text/durations.ts';
import { optional } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { isFreshlyProven, requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, fragment, type PageContext, page, readForm, redirect } from '../../frame/pages.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { NoticeProps } from '../../ui/notice.tsx';
import { type Conflict, editForm, mergeForm } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { DeliveryPage, DeliveryStatus } from './delivery-page.tsx';
import { recoveredNotice } from './endpoint-notices.tsx';
import { EndpointPage, RECOVER_PERIODS } from './endpoint-page.tsx';
import { EndpointForm, EVENTS_FIELD, SecretPage, USUAL_FOR_OPERATORS } from './form.tsx';
import { WebhooksPage } from './list-page.tsx';
import { deliveryPath, type EndpointId, endpointName, pathOf, webhooksPath } from './parts.tsx';
import {
  countDeliveries,
  DELIVERY_FILTERS,
  listAttempts,
  listDeliveries,
  listLastAttempts,
} from './queries.ts';

const DELIVERIES_SHOWN = 25;

/** Rate limit for submitted URLs. For each URL, the service resolves a host that the owner chose. */
const ADDRESS_CHECKS: Limit = {
  name: 'endpoint-address',
  attempts: 60,
  windowMs: HOUR_MS,
  refusal: (wait) =>
    message('Your account has submitted 60 URLs within an hour. Try again in {wait}.', { wait }),
};

/** Whose endpoints the pages are about: an owner's, in the dashboard, or the marketplace's, at the desk. */
interface Scope {
  readonly for: 'member' | 'operator';
  /** The path of the list. */
  readonly list: string;
  /** The events that the form for a new endpoint proposes. */
  readonly proposed: readonly EventType[];
  holderOf(viewer: Viewer): string;
}

const SCOPES = {
  owner: {
    for: 'member',
    list: webhooksPath({ account_id: '' }),
    proposed: WEBHOOK_EVENT_TYPES,
    holderOf: ({ accountId }) => accountId,
  },
  marketplace: {
    for: 'operator',
    list: webhooksPath({ account_id: MARKETPLACE_ID }),
    proposed: USUAL_FOR_OPERATORS,
    holderOf: () => MARKETPLACE_ID,
  },
} as const satisfies Readonly<Record<string, Scope>>;

export function webhookPages(
  app: PageRouter,
  context: Context,
  outgoing: Outgoing,
  holder: keyof typeof SCOPES,
): void {
  const scope: Scope = SCOPES[holder];
  formPages(app, context, outgoing, scope);
  endpointForms(app, context, scope);
  deliveryPages(app, context, scope);
  app.get(scope.list, scope, (c, viewer) => listPage(c, scope.holderOf(viewer), context));
  app.get(`${scope.list}/:id`, scope, (c, viewer) => {
    const recovered = c.req.query('recovered') ?? '';
    const notice = /^\d{1,9}$/.test(recovered) ? recoveredNotice(Number(recovered)) : null;
    return endpointPage(c, own(c, viewer, scope), context, notice);
  });
}

function formPages(app: PageRouter, context: Context, outgoing: Outgoing, scope: Scope): void {
  const formPage = (
    c: PageContext,
    form: FormState,
    account_id: string,
    endpoint?: Endpoint,
    conflicts: readonly Conflict[] = [],
  ) =>
    page(
      c,
      <EndpointForm {...{ form, endpoint, conflicts }} holder={{ account_id }} reach={outgoing.reach} />,
      {
        title: endpoint === undefined ? t('Add endpoint') : t('Edit endpoint'),
        status: conflicts.length > 0 ? 409 : form.status,
      },
    );

  /**
   * Passes the form's values to `verb`. Returns `null` if a value was refused. `endpoint`: `null` for a new endpoint.
   * If the field `url` is empty, a chat endpoint keeps its URL, because the form doesn't show the URL of a chat.
   */
  const submit = async <T,>(
    viewer: Viewer,
    form: FormInput,
    endpoint: Endpoint | null,
    verb: (input: EndpointInput, url: string | null) => Promise<T>,
  ) => {
    const by = { accountId: scope.holderOf(viewer), actor: actorOf(viewer) };
    const offered = eventTypesFor(by.accountId);
    const typed = form.text('url').trim();
    const isKept = typed === '' && endpoint !== null && endpoint.format !== 'standard';
    // Only parses the URL; `verb` resolves its host.
    const address = await form.attempt('url', async () => {
      if (isKept) return { url: null, format: endpoint.format };
      await countAttempt(context, [[ADDRESS_CHECKS, by.accountId]]);
      const url = outgoing.parse(typed, ENDPOINT_URL);
      return { url, format: formatFor(url, endpoint?.format ?? form.text('format')) };
    });
    const ticked = offered.filter((type) => form.text(type) !== '');
    const input = form.read({
      description: (text) => optional(text, parseEndpointDescription),
      [EVENTS_FIELD]: () => parseEventTypes(ticked, offered),
    });
    if (address === null || input === null) return null;
    const { description, [EVENTS_FIELD]: eventTypes } = input;
    const { url, format } = address;
    return form.attempt(fieldOf, () => verb({ ...by, url: url ?? '', description, eventTypes, format }, url));
  };

  app.get(`${scope.list}/new`, scope, (c, viewer) => {
    const events = Object.fromEntries(scope.proposed.map((type) => [type, 'yes']));
    return formPage(c, newForm({ form: uuidv7(context), ...events }), scope.holderOf(viewer));
  });

  // Only this response and the response to a roll contain the complete secret.
  app.post(scope.list, scope, async (c, viewer) => {
    const form = await readForm(c);
    await requireProof(c);
    const id = form.text('form');
    const newEndpoint = await submit(viewer, form, null, async (input) => ({
      ...(await createEndpoint(context, outgoing, input, id)),
      format: input.format,
    }));
    const account_id = scope.holderOf(viewer);
    if (newEndpoint === null) return formPage(c, form, account_id);
    const endpoint = { ...newEndpoint, account_id };
    if (newEndpoint.format !== 'standard') return redirect(c, pathOf(endpoint));
    return page(c, <SecretPage endpoint={endpoint} />, { title: t('Endpoint secret') });
  });

  app.get(`${scope.list}/:id/edit`, scope, async (c, viewer) => {
    const endpoint = await find(own(c, viewer, scope), context);
    return formPage(c, editForm(editableValues(endpoint)), endpoint.account_id, endpoint);
  });

  app.post(`${scope.list}/:id/edit`, scope, async (c, viewer) => {
    const endpoint = await find(own(c, viewer, scope), context);
    const { form, conflicts } = mergeForm(await readForm(c), editableValues(endpoint));
    if (form.text('url').trim() !== editableValues(endpoint).url) await requireProof(c);
    const isCurrent = conflicts.length === 0;
    await submit(viewer, form, endpoint, async (input, url) => {
      if (isCurrent) await editEndpoint(context, outgoing, { ...own(c, viewer, scope), ...input, url });
    });
    if (isCurrent && form.isFine) return redirect(c, pathOf(endpoint));
    return formPage(c, form, endpoint.account_id, endpoint, conflicts);
  });
}

/** Omits the URL of a chat, because that URL is a secret. */
const editableValues = (endpoint: Endpoint): Readonly<Record<string, string>> & { readonly url: string } => ({
  url: endpoint.format === 'standard' ? endpoint.url : '',
  description: endpoint.description ?? '',
  ...Object.fromEntries(
    eventTypesFor(endpoint.account_id).map((type) => [
      type,
      endpoint.event_types.includes(type) ? 'yes' : '',
    ]),
  ),
});

const fieldOf = ({ sentence }: Refusal): 'url' | null =>
  sentence instanceof Message && sentence.values?.['what'] === ENDPOINT_URL ? 'url' : null;

function endpointForms(app: PageRouter, context: Context, scope: Scope): void {
  /** `work` returns the path to redirect to, or a page. */
  const onEndpoint = (
    action: string,
    work: (target: Target, form: FormInput, c: PageContext) => Promise<string | Response>,
  ) =>
    app.post(`${scope.list}/:id/${action}`, scope, async (c, viewer) => {
      const target = own(c, viewer, scope);
      await find(target, context);
      const form = await readForm(c);
      const next = await form.attempt(null, () => work(target, form, c));
      if (next !== null) return typeof next === 'string' ? redirect(c, next) : next;
      const notice = { tone: 'bad', title: t('Nothing was changed'), children: form.refusal } as const;
      return endpointPage(c, target, context, notice, form.status);
    });

  const pathTo = (target: Target): string => pathOf(idOf(target));
  onEndpoint('test', async (target) => deliveryPath(idOf(target), await sendTestEvent(context, target)));
  onEndpoint('recover', async (target, form) => {
    const period = RECOVER_PERIODS.find(({ value }) => value === form.text('since'));
    if (period === undefined) throw invalid(message('Choose a period.'));
    const since = toIso(context.now() - period.hours * HOUR_MS);
    const count = await recoverDeliveries(context, { ...target, since });
    return `${pathTo(target)}?recovered=${count}`;
  });
  onEndpoint('roll', async (target, form, c) => {
    await requireProof(c, isFreshlyProven);
    const rolled = await rollSecret(context, { ...target, madeAt: form.text('secret') });
    const endpoint = { ...rolled, account_id: target.accountId };
    return page(c, <SecretPage endpoint={endpoint} oldUntil={rolled.oldUntil} />, {
      title: t('Endpoint secret'),
    });
  });
  onEndpoint('disable', (target) => disableEndpoint(context, target).then(() => pathTo(target)));
  onEndpoint('enable', async (target, form, c) => {
    const { disabled_reason } = await find(target, context);
    // Messages go to the URL that somebody set who has no role any more, so enabling is like setting the URL.
    if (disabled_reason === 'member_gone') await requireProof(c);
    await enableEndpoint(context, { ...target, sendsMissed: form.text('missed') === 'yes' });
    return pathTo(target);
  });
  onEndpoint('delete', (target) => deleteEndpoint(context, target).then(() => scope.list));
}

function deliveryPages(app: PageRouter, context: Context, scope: Scope): void {
  const { db, now, marketplace } = context;
  const path = `${scope.list}/:id/deliveries/:delivery`;
  const read = async (c: PageContext, viewer: Viewer) => {
    const endpoint = await find(own(c, viewer, scope), context);
    const delivery = await findDelivery(db.read, endpoint, c.req.param('delivery') ?? '');
    return { endpoint, delivery, attempts: await listAttempts(db.read, delivery), now: now() };
  };
  const deliveryPage = async (c: PageContext, viewer: Viewer, form: FormState) => {
    const delivery = await read(c, viewer);
    const { language } = marketplace;
    return page(c, <DeliveryPage {...delivery} language={language} refusal={form.refusal} />, {
      title: t('Delivery of {type}', { type: delivery.delivery.type }),
      status: form.status,
    });
  };

  app.get(path, scope, (c, viewer) => deliveryPage(c, viewer, newForm()));
  app.get(`${path}/look`, scope, async (c, viewer) =>
    fragment(c, <DeliveryStatus {...(await read(c, viewer))} hasState />),
  );
  app.post(`${path}/resend`, scope, async (c, viewer) => {
    const target = own(c, viewer, scope);
    const deliveryId = c.req.param('delivery') ?? '';
    const form = await readForm(c);
    await form.attempt(null, () => resendDelivery(context, { ...target, deliveryId }));
    if (!form.isFine) return deliveryPage(c, viewer, form);
    return redirect(c, deliveryPath(idOf(target), deliveryId));
  });
}

async function listPage(c: PageContext, account_id: string, { db }: Context) {
  const endpoints = await listEndpoints(db.read, account_id);
  const listed = await Promise.all(
    endpoints.map(async (endpoint) => {
      const [newest] = await listDeliveries(db.read, endpoint.id, 'all', 1);
      return { ...endpoint, newest, waiting: await countDeliveries(db.read, endpoint.id, 'waiting') };
    }),
  );
  return page(c, <WebhooksPage holder={{ account_id }} endpoints={listed} />, { title: t('Webhooks') });
}

async function endpointPage(
  c: PageContext,
  target: Target,
  context: Context,
  notice: NoticeProps | null,
  status: 200 | 422 | 429 = 200,
) {
  const endpoint = await find(target, context);
  const state = DELIVERY_FILTERS.find((one) => one === c.req.query('state')) ?? 'all';
  const after = c.req.query('after') || undefined;
  const { rows: deliveries, nextAfter } = await takePage(DELIVERIES_SHOWN, (limit) =>
    listDeliveries(context.db.read, endpoint.id, state, limit, after),
  );
  const secrets = endpoint.format === 'standard' ? shownSecrets(context, endpoint, context.at()) : [];
  const [lastAttempts, failed, waiting] = await Promise.all([
    listLastAttempts(context.db.read, endpoint.account_id, deliveries),
    countDeliveries(context.db.read, endpoint.id, 'failed'),
    countDeliveries(context.db.read, endpoint.id, 'waiting'),
  ]);
  const counts = { failed, waiting };
  const isFirst = after === undefined;
  const now = context.now();
  const next = nextAfter?.id ?? null;
  const props = { endpoint, secrets, deliveries, lastAttempts, counts, state, next, notice, isFirst, now };
  return page(c, <EndpointPage {...props} />, {
    title: t('Webhook {name}', { name: endpointName(endpoint) }),
    status,
  });
}

type Target = Required<EndpointToChange>;

const idOf = ({ accountId, endpointId }: Target): EndpointId => ({ account_id: accountId, id: endpointId });

const own = (c: PageContext, viewer: Viewer, scope: Scope): Target => ({
  accountId: scope.holderOf(viewer),
  actor: actorOf(viewer),
  endpointId: c.req.param('id') ?? '',
});

const find = ({ accountId, endpointId }: Target, { db }: Context): Promise<Endpoint> =>
  findEndpoint(db.read, accountId, endpointId);
