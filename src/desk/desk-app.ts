/** The desk is for operators: to everybody else its pages don't exist. */
import { type PageApp, type PageContext, requireOperator } from '../http/pages/pages.ts';
import type { Viewer } from '../ui/viewer.ts';

type Handler = (c: PageContext, operator: Viewer) => Response | Promise<Response>;

/** Adds pages for operators only. A class, so that no app without this check can take its place. */
export class DeskApp {
  readonly #app: PageApp;

  constructor(app: PageApp) {
    this.#app = app;
  }

  get(path: string, handler: Handler): void {
    this.#app.get(path, (c) => handler(c, requireOperator(c)));
  }

  post(path: string, handler: Handler): void {
    this.#app.post(path, (c) => handler(c, requireOperator(c)));
  }
}
