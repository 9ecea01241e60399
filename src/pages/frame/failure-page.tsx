import type { Child } from 'hono/jsx';
import { SIGN_IN_PATH } from '../../base/paths.ts';
import { DISK_FULL, ERRORS, type ErrorCode } from '../../platform/errors.ts';
import { type Message, message, t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { Breakable } from '../ui/breakable.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { toOperator } from '../ui/site.tsx';

interface FailureProps {
  readonly code: ErrorCode;
  readonly detail: Words;
  readonly requestId: string;
}

interface FailurePageProps extends FailureProps {
  readonly isSignedIn: boolean;
  /** Search and open offers, below the message that a page doesn't exist. */
  readonly openOffers: Markup | null;
}

/** Titles of the errors that pages can show. Other codes occur only in API responses. */
const TITLES: Partial<Readonly<Record<ErrorCode, Message>>> = {
  unknown_path: message('Page not found'),
  invalid_request: message('Invalid request'),
  foreign_request: message('Request from elsewhere'),
  body_too_large: message('Form too large'),
  unsupported_media_type: message('Not a form'),
  request_timeout: message('Request too slow'),
  rate_limited: message('Too many requests'),
  unavailable: message('Unavailable'),
  internal_error: message('Internal error'),
};

export const failureTitle = (code: ErrorCode): string => wordsOf(TITLES[code] ?? ERRORS[code].title);

/** Doesn't show the URL: the responses for another account's page and for a missing page must be identical. */
export function FailurePage(props: FailurePageProps): Markup {
  const { code, detail, requestId, isSignedIn, openOffers } = props;
  return (
    <>
      <PageHeader title={failureTitle(code)} lead={<WithCode text={sentenceOf(code, detail)} />} />
      {code === 'internal_error' && <RequestNumber requestId={requestId} />}
      <FormActions>
        <ButtonLink href="/" tone="primary">
          {t('Go to the marketplace')}
        </ButtonLink>
        {code === 'unknown_path' && !isSignedIn && (
          <ButtonLink href={SIGN_IN_PATH}>{t('Sign in')}</ButtonLink>
        )}
      </FormActions>
      {openOffers}
    </>
  );
}

/** Shown inside the form, whose fields keep their values. */
export const FailureOfForm = ({ code, detail, requestId }: FailureProps): Markup => (
  <div data-failure>
    <h2>{failureTitle(code)}</h2>
    <p>
      <WithCode
        text={
          code === 'unavailable' && detail !== DISK_FULL
            ? t(
                'The service cannot answer right now. What you typed is still here: send it again in a moment.',
              )
            : sentenceOf(code, detail)
        }
      />
    </p>
    {code === 'internal_error' && <RequestNumber requestId={requestId} />}
  </div>
);

const RequestNumber = ({ requestId }: { requestId: string }): Markup => (
  <p class="end-space soft-text">
    {t('If it happens again, give <operator>the operator</operator> this request ID: <code>{number}</code>', {
      operator: toOperator,
      code: (words: Child) => <code>{words}</code>,
      number: requestId,
    })}
  </p>
);

function sentenceOf(code: ErrorCode, detail: Words): string {
  switch (code) {
    case 'unknown_path':
      return t('There is no page at this address, or you don’t have access to it.');
    case 'internal_error':
      return t(
        'Something went wrong here. What you sent may or may not have been saved. Before you send it again, check whether it was saved.',
      );
    case 'unavailable':
      return detail === DISK_FULL
        ? wordsOf<string>(detail)
        : t('The service cannot answer right now. Nothing is lost; reload the page in a moment.');
    default:
      return wordsOf<string>(detail);
  }
}

const WithCode = ({ text }: { text: string }): Markup => (
  <>
    {text.split('`').map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <code>
          <Breakable text={part} />
        </code>
      ),
    )}
  </>
);
