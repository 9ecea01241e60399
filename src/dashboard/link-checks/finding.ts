/** A step of a link check with its result in words. */
import type { CheckItem } from '../../ui/steps.tsx';

export interface Finding {
  readonly title: string;
  readonly state: CheckItem['state'];
  readonly text: string;
  /** What to change. */
  readonly fix?: string;
  /** A page about it. */
  readonly page?: readonly [path: string, title: string];
  /** Of a call to look at in the request log. */
  readonly requestId?: string;
}

export const RECOMMENDED_PAGE = ['/docs/recommended-page', 'The recommended page'] as const;
