import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  ACCOUNT_PATH,
  DASHBOARD_PATH,
  DESK_PATH,
  DOCS_PATH,
  HOME_PATH,
  PROVE_PATH,
  SETUP_PATH,
} from '../../base/paths.ts';
import { nothingThere, Refusal } from '../../platform/errors.ts';
import { MAX_BODY_BYTES, readBytes } from '../../platform/http/server/bodies.ts';
import { type Shared, share } from '../../platform/http/server/page-cache.ts';
import { regainSlot } from '../../platform/http/server/slots.ts';
import { ENGLISH } from '../../platform/languages/language.ts';
import { message } from '../../platform/languages/translate.ts';
import type { SecurityEvent } from '../../platform/network/security-log.ts';
import { yieldToEventLoop } from '../../platform/process/yielding.ts';
import { type FieldLengths, FormInput, type FormState } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { Shell, withHtmx } from '../ui/shell.tsx';
import type { Audience, ShellProps } from '../ui/shell-parts.tsx';
import { OnSite } from '../ui/site.tsx';
import type { Site, SiteBrand, Theme, Viewer } from '../ui/viewer.ts';

export interface PageEnv {
  Bindings: HttpBindings;
  Variables: {
    /** `null` if nobody is signed in. */
    viewer: Viewer | null;
    site: Site;
    /** Number of items that await a decision; `null` unless an operator is at the desk. */
    waiting: number | null;
    /** The form in the request's body, cached by `readForm`. */
    form: Promise<FormInput> | undefined;
    fieldLengths: FieldLengths;
    noteSecurity: (event: SecurityEvent, accountId?: string) => void;
    /** Whether the viewer's session and role are still as they were when the request arrived. */
    isStillAllowed: () => Promise<boolean>;
    confirmIdentity: ConfirmIdentity;
  };
}
export type PageApp = Hono<PageEnv>;
export type PageContext = Context<PageEnv>;

/** What a person has chosen in this browser; `null`: nothing. */
interface Display {
  readonly theme: Theme | null;
  /** A language code. Ignored unless people may switch the language. */
  readonly language: string | null;
}

/** `cookies`: the header. */
export type FindDisplay = (cookies: string | null | undefined) => Display;

export type FindViewer = (request: {
  readonly cookie: string | null;
  readonly path: string;
}) => Promise<Viewer | null>;

/**
 * Checks the form's fields to confirm the person's identity (`isProofField`). Returns the viewer afterwards, or the
 * fields to show; `null` if no field can, for example with an identity provider only.
 */
export type ConfirmIdentity = (
  c: PageContext,
  viewer: Viewer,
  form: FormInput,
) => Promise<{ readonly viewer: Viewer } | { readonly form: FormState; readonly fields: Child | null }>;

const PROOF_FIELD_START = 'proof_';

/** No other field has such a name, because a form is sent together with the confirmation. */
export const proofField = <Name extends string>(name: Name): `${typeof PROOF_FIELD_START}${Name}` =>
  `${PROOF_FIELD_START}${name}`;

export const isProofField = (name: string): boolean => name.startsWith(PROOF_FIELD_START);

/** Whether the viewer's session and role still exist. For work that goes on after the request was authorized. */
export type IsStillAllowed = (viewer: Viewer) => Promise<boolean>;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Returns the signed-in viewer. Throws `NotSignedIn` if there is none; `signInFirst` then responds. */
export function requireViewer(c: PageContext): Viewer {
  const viewer = c.get('viewer');
  if (viewer === null) throw new NotSignedIn();
  return viewer;
}

export class NotSignedIn extends Error {
  override name = 'NotSignedIn';
}

export const actorOf = ({ personId }: Viewer) => `account:${personId}` as const;

export const accountName = ({ name, worksIn }: Viewer): string => worksIn?.name ?? name;

/** For a change by this viewer: the account that must own the changed object, and the actor. */
export const changeBy = (viewer: Viewer) => ({ accountId: viewer.accountId, actor: actorOf(viewer) });

export class EarlyResponse extends Error {
  override name = 'EarlyResponse';
  readonly response: Response;

  constructor(response: Response) {
    super();
    this.response = response;
  }
}

export const provePath = (next: string): string => `${PROVE_PATH}?next=${encodeURIComponent(next)}`;

/** Throw the result. The person confirms their identity, then continues at `next`. `again`: no form can be kept. */
export const proveFirst = (c: PageContext, next: string, again?: 'again'): EarlyResponse =>
  new EarlyResponse(redirect(c, provePath(next) + (again === undefined ? '' : `&${again}`)));

export const PROOF_MISSING = message('Confirm it’s you to continue. Nothing has been changed yet.');

export function requireFound<T>(thing: T | null | undefined): T {
  if (thing === null || thing === undefined) throw nothingThere();
  return thing;
}

/** The requested path; for a sent form, the path of the page that showed the form. */
export function returnPath(c: PageContext): string | null {
  if (c.req.method !== 'GET') return refererPath(c);
  const url = new URL(c.req.url);
  return url.pathname + url.search;
}

function refererPath(c: PageContext): string | null {
  const referer = URL.parse(c.req.header('referer') ?? '');
  return referer !== null && referer.host === c.req.header('host') ? referer.pathname + referer.search : null;
}

/**
 * Prevents open redirects: returns `next` if it is a path of this service, else `fallback`. Browsers treat `//host`,
 * `/\host` and a path with a tab or line break as another site. `/..//host` becomes `//host` when a path is normalized.
 */
export function nextPath(next: string | undefined, fallback = HOME_PATH): string {
  if (next === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return fallback;
  const url = URL.parse(next, 'http://self.invalid');
  return url?.host === 'self.invalid' && !url.pathname.startsWith('//') ? next : fallback;
}

/** Adds the parameter `next` to `path`, so that the person continues at `next` afterwards. `path` may have a query. */
export const withNext = (path: string, next: string): string =>
  next === HOME_PATH ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`;

/** May be called several times for a request. Throws a `Refusal` (413, 415 or 400). */
export function readForm(c: PageContext): Promise<FormInput> {
  const form = c.get('form') ?? readSentForm(c);
  c.set('form', form);
  return form;
}

async function readSentForm(c: PageContext): Promise<FormInput> {
  if (!FORM_TYPE.test(c.req.header('content-type') ?? '')) {
    throw new Refusal(
      'unsupported_media_type',
      message('A form must be sent as application/x-www-form-urlencoded.'),
    );
  }
  const tooLarge = message('The form is larger than {limit} KiB.', { limit: MAX_BODY_BYTES / 1024 });
  if (Number(c.req.header('content-length')) > MAX_BODY_BYTES) throw new Refusal('body_too_large', tooLarge);
  // Not `c.req.raw`: reading a web stream would take a tenth of the request's processing time.
  const sent = { body: c.env.incoming as AsyncIterable<Uint8Array> };
  const text = (await readBytes(sent, MAX_BODY_BYTES, tooLarge)).toString('utf8');
  if (text.includes('%00') || text.includes('\0')) {
    throw new Refusal('invalid_request', message('The form contains the character U+0000.'));
  }
  return parseForm(c, text);
}

/** Maximum number of fields of a form. The largest form, of the plans, has about forty. */
const MAX_FIELDS = 1_000;

/** `text`: urlencoded. Checks the number of fields and their lengths, before any handler reads a value. */
export function parseForm(c: PageContext, text: string): FormInput {
  const values = new URLSearchParams(text);
  if (values.size > MAX_FIELDS) {
    throw new Refusal(
      'invalid_request',
      message('The form has more than {limit, number} fields.', { limit: MAX_FIELDS }),
    );
  }
  return new FormInput(values, c.get('fieldLengths'));
}

/** Name of the hidden field with the person and account that a form was shown to. */
export const ACCOUNT_FIELD = 'shown_to';

/** The person's id. If the person works in another account, the id of that account follows. */
export const shownTo = ({ personId, worksIn }: Viewer): string =>
  worksIn === null ? personId : `${personId}.${worksIn.accountId}`;

/** Matches only forms of this service, because text from users is escaped. */
const FORM_START = /<form [^<>]*>/g;

/** The first field of every form is the viewer's account. A kept form's account (`kept-forms.tsx`) overrides it. */
async function withAccount(c: PageContext, content: Markup): Promise<string> {
  const html = String(await (await content).toString());
  const viewer = c.get('viewer');
  if (viewer === null) return html;
  const field = `<input type="hidden" name="${ACCOUNT_FIELD}" value="${shownTo(viewer)}"/>`;
  return html.replaceAll(FORM_START, (start) => (start.includes(' method="post"') ? start + field : start));
}

interface PageOptions extends Pick<ShellProps, 'title' | 'scripts' | 'menu' | 'markdown' | 'head'> {
  readonly status?: ContentfulStatusCode;
  /**
   * Origins of owners' pages that a form may redirect to. If there are any, every https origin is allowed, because
   * these pages may redirect further and browsers check each redirect (`docs/decisions/0014-on-from-the-link.md`).
   */
  readonly formAction?: readonly string[];
  readonly audience?: Audience;
  /** Set if the page is the same for everyone without a session, and depends only on its path and on `reads`. */
  readonly shared?: Shared;
  /** Set if the page shows a secret in response to a GET, such as a sign-in link. The page is then not compressed. */
  readonly holdsSecret?: boolean;
  /** Mode in the URL of a dashboard page; overrides the viewer's mode. */
  readonly mode?: Viewer['mode'] | undefined;
}

/** Resolves when the request may use the thread to render. */
async function waitToRender(c: PageContext): Promise<void> {
  // If the slot is refused, the server has already responded.
  if (!(await regainSlot(c.env.outgoing))) throw new EarlyResponse(new Response(null, { status: 503 }));
  await yieldToEventLoop();
}

/** `content` must begin with the page's only h1 (`PageHeader`). */
export async function page(c: PageContext, content: Child, options: PageOptions): Promise<Response> {
  await waitToRender(c);
  const { status = 200, formAction, shared, holdsSecret, audience, mode, ...shellProps } = options;
  const viewer = c.get('viewer');
  const document = Shell({
    ...shellProps,
    site: c.get('site'),
    viewer,
    path: c.req.path,
    // `null`, so that the not-found page is the same at every URL.
    next: status === 404 ? null : returnPath(c),
    audience: audience ?? shellOf(c.req.path, viewer),
    waiting: c.get('waiting'),
    mode: mode ?? viewer?.mode ?? 'live',
    formPath: c.req.method === 'GET' ? null : returnPath(c),
    children: content,
  });
  c.header('Content-Security-Policy', contentPolicy(formAction));
  // Not cached until the service is set up, because until then every page shows a notice.
  if (shared !== undefined && status === 200 && viewer === null && c.get('site').isSetUp) {
    share(c.env.outgoing, shared);
  }
  if (holdsSecret) c.header('Cache-Control', 'no-store, no-transform');
  return c.html(withHtmx(await withAccount(c, document)), status);
}

/** Responds with a part of a page, for `Live` and htmx. */
export async function fragment(
  c: PageContext,
  content: Markup,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  await waitToRender(c);
  c.header('Content-Security-Policy', contentPolicy());
  return c.html(await withAccount(c, OnSite({ site: c.get('site'), children: content })), status);
}

export const wantsFragment = (c: PageContext): boolean => c.req.header('hx-request') === 'true';

/** Whether a form, such as the filters of a list, requests a fragment. htmx sends the tag, then `#` and the ID if any. */
export const isOfForm = (c: PageContext): boolean => c.req.header('hx-source')?.split('#', 1)[0] === 'form';

/** Whether the browser loads the page before the person opens it, if they ever do. */
export const isLoadedAhead = (c: PageContext): boolean =>
  c.req.header('sec-purpose') !== undefined || c.req.header('purpose') !== undefined;

/** Sent by a script, which gets 204 with `Location` for a redirect, and a fragment for an error page. */
export const isSentInPlace = (c: PageContext): boolean => c.req.header('x-in-place') !== undefined;

/** 303, so that a reload doesn't send the form again. A path that begins with `//` would redirect to another site. */
export const redirect = (c: PageContext, path: string): Response =>
  c.redirect(path.replace(/^\/{2,}/, '/'), 303);

/** Redirects to an owner's page. Not cached, because the URL contains a token. The owner's page gets no referrer. */
export function redirectToOwner(c: PageContext, link: string): Response {
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  return c.redirect(link, 303);
}

export const audienceOf = (path: string): Audience => {
  if (isWithin(DASHBOARD_PATH, path)) return 'dashboard';
  return isWithin(DESK_PATH, path) ? 'desk' : 'public';
};

/** Whether a page depends on the account that the person works in. Other pages depend only on the person. */
export const isOfAccount = (path: string): boolean =>
  isWithin(DASHBOARD_PATH, path) || isWithin(DOCS_PATH, path);

export const isAccountPage = (path: string): boolean => isWithin(ACCOUNT_PATH, path);

/** Account pages show the menu of the desk or dashboard if the person works there. */
export const shellOf = (path: string, viewer: Pick<Viewer, 'menu'> | null): Audience =>
  (isAccountPage(path) && viewer?.menu) || audienceOf(path);

/** The setup page and pages for developers are in English. */
const IN_ENGLISH = [DOCS_PATH, SETUP_PATH, '/api'];

const isInEnglish = (path: string): boolean => IN_ENGLISH.some((folder) => isWithin(folder, path));

/** Files such as feeds, badges and pictures, which caches share between people. */
const FILE = /\.[a-z0-9]{2,5}$/;

/** `chosen`: the language chosen in this browser; `null`: none. */
export function languageAt(
  url: string,
  { language, hasLanguageSwitch }: Pick<SiteBrand, 'language' | 'hasLanguageSwitch'>,
  chosen: string | null = null,
): string {
  const [path = ''] = url.split(/[?#]/, 1);
  if (isInEnglish(path)) return ENGLISH.code;
  return hasLanguageSwitch && chosen !== null && !FILE.test(path) ? chosen : language;
}

export const isLanguageSwitched = (
  path: string,
  { hasLanguageSwitch }: Pick<SiteBrand, 'hasLanguageSwitch'>,
) => hasLanguageSwitch && !isInEnglish(path);

const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

export const contentPolicy = (formAction: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...formAction, ...(formAction.length > 0 ? ['https:'] : [])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
