/** Registers pages. Each route declares who may use it; the declaration is checked right before the handler runs. */

import type { Context } from 'hono';
import { DESK_PATH } from '../../base/paths.ts';
import { DISK_FULL, nothingThere, Refusal } from '../../platform/errors.ts';
import type { Viewer } from '../ui/viewer.ts';
import { refuseOtherAccount, refuseOverLimit, requireProof } from './kept-forms.tsx';
import { requireOwnerRole } from './owners-only.tsx';
import {
  type PageApp,
  type PageContext,
  type PageEnv,
  proveFirst,
  requireViewer,
  returnPath,
} from './pages.ts';

/**
 * `anyone`: also people without a session. `signed-in`: any signed-in person, for what is theirs. `member`: whoever works
 * in the account, for what is the account's. `owner`: the same, but only its owners. `operator`: for the desk.
 */
const AUDIENCES = ['anyone', 'signed-in', 'member', 'owner', 'operator'] as const;
export type RouteAudience = (typeof AUDIENCES)[number];

export interface RouteRules<A extends RouteAudience = RouteAudience> {
  readonly for: A;
  /** False: the form doesn't count as a change, because it previews one or ends access. The desk's never count. */
  readonly counts?: false;
  /** A sent form is accepted whichever account it was shown to. */
  readonly fromAnyAccount?: true;
  /** A form is accepted while the disk is nearly full. Forms of operators always are, so that they can stop abuse. */
  readonly whenDiskIsFull?: true;
}

type Handler<Path extends string, A extends RouteAudience> = (
  c: Context<PageEnv, Path>,
  viewer: 'anyone' extends A ? Viewer | null : Viewer,
) => Response | Promise<Response>;

/** Against the person's rate limit and the account's byte budget. `formBytes`: the length of the fields. */
export type LimitChange = (viewer: Viewer, formBytes: number) => Promise<void>;

export interface PageGate {
  /** False while the disk is nearly full. */
  readonly diskIsFull: () => boolean;
  readonly limitChange: LimitChange;
}

export type PageGroup = (app: PageRouter) => void;

const declared = new WeakMap<object, RouteRules>();

/** What a handler in the framework's router declares; `undefined` if it was added without `PageRouter`. */
export const rulesOf = (handler: object): RouteRules | undefined => declared.get(handler);

/** Page groups get this class instead of the framework's router, so a route can't be added without a declaration. */
export class PageRouter {
  readonly #app: PageApp;
  readonly #gate: PageGate;

  constructor(app: PageApp, gate: PageGate) {
    this.#app = app;
    this.#gate = gate;
  }

  get<Path extends string, A extends RouteAudience>(
    path: Path,
    rules: RouteRules<A>,
    handler: Handler<Path, A>,
  ): void {
    this.#add('GET', path, rules, handler);
  }

  post<Path extends string, A extends RouteAudience>(
    path: Path,
    rules: RouteRules<A>,
    handler: Handler<Path, A>,
  ): void {
    this.#add('POST', path, rules, handler);
  }

  #add<Path extends string, A extends RouteAudience>(
    method: 'GET' | 'POST',
    path: Path,
    rules: RouteRules<A>,
    handler: Handler<Path, A>,
  ): void {
    if (!AUDIENCES.includes(rules.for)) throw new Error(`${method} ${path} doesn’t declare who may use it.`);
    const checked = async (c: Context<PageEnv, Path>) =>
      handler(c, (await enter(c, rules, this.#gate)) as Viewer);
    declared.set(checked, rules);
    this.#app.on(method, path, checked);
  }
}

/** Throws unless the viewer may use the route. Reads a form only of people who may send it. */
async function enter(c: PageContext, rules: RouteRules, gate: PageGate): Promise<Viewer | null> {
  const viewer = rules.for === 'anyone' ? c.get('viewer') : requireViewer(c);
  if (rules.for === 'operator') requireOperator(c);
  const isForm = c.req.method === 'POST';
  if (isForm) {
    const isUrgent = viewer?.isOperator === true || rules.whenDiskIsFull === true;
    if (!isUrgent && gate.diskIsFull()) throw new Refusal('unavailable', DISK_FULL);
    if (viewer !== null && rules.fromAnyAccount !== true) await refuseOtherAccount(c, viewer);
  }
  if (rules.for === 'operator') await requireOpenDesk(c);
  if (rules.for === 'owner') await requireOwnerRole(c);
  if (isForm && viewer !== null && rules.counts !== false && rules.for !== 'operator') {
    await refuseOverLimit(c, viewer, gate.limitChange);
  }
  return c.get('viewer');
}

/** The desk is hidden from signed-in people who aren't operators: they get the response for a missing page. */
function requireOperator(c: PageContext): void {
  const viewer = requireViewer(c);
  if (!viewer.isOperator) {
    c.get('noteSecurity')('desk_probed', viewer.accountId);
    throw nothingThere();
  }
}

/** Operators may have to use a second factor first. */
async function requireOpenDesk(c: PageContext): Promise<void> {
  const { deskLock } = requireViewer(c);
  if (deskLock === null) return;
  const next = returnPath(c) ?? DESK_PATH;
  if (c.req.method !== 'POST' || deskLock === 'enroll') throw proveFirst(c, next);
  await requireProof(c, (viewer) => viewer.deskLock === null, next);
}
