/** What a person gets on a failure: a page, or a notice in the form that failed. */
import { ERRORS, type ErrorCode, NO_ROOM } from '../../errors.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Operator } from '../../ui/site.tsx';

interface FailurePageProps {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly requestId: string;
}

export const failureTitle = (code: ErrorCode): string =>
  code === 'unknown_path' ? 'Nothing here' : ERRORS[code].title;

/** For a missing page it does not repeat the URL: another account's page must get exactly the same response. */
export function FailurePage({ code, detail, requestId }: FailurePageProps): Markup {
  return (
    <>
      <PageHeader title={failureTitle(code)} lead={<WithCode text={sentenceOf(code, detail)} />} />
      {code === 'internal_error' && <RequestNumber requestId={requestId} />}
      <ButtonLink href="/">Go to the start page</ButtonLink>
    </>
  );
}

/** The failure of a form that stays on the screen, with what was typed. */
export const FailureOfForm = ({ code, detail, requestId }: FailurePageProps): Markup => (
  <div data-failure>
    <h2>{failureTitle(code)}</h2>
    <p>
      <WithCode
        text={code === 'unavailable' && detail !== NO_ROOM ? UNAVAILABLE_TO_FORM : sentenceOf(code, detail)}
      />
    </p>
    {code === 'internal_error' && <RequestNumber requestId={requestId} />}
  </div>
);

const UNAVAILABLE_TO_FORM =
  'The service cannot answer right now. What you typed is still here: send it again in a moment.';

const RequestNumber = ({ requestId }: { requestId: string }): Markup => (
  <p class="end-space soft-text">
    If it happens again, tell <Operator>the operator</Operator> this number: <code>{requestId}</code>
  </p>
);

function sentenceOf(code: ErrorCode, detail: string): string {
  switch (code) {
    case 'unknown_path':
      return 'There is no page at this address, or you don’t have access to it.';
    case 'internal_error':
      return 'Something went wrong here. What you sent may or may not have been saved: check whether it was saved before you send it again.';
    case 'unavailable':
      return detail === NO_ROOM
        ? detail
        : 'The service cannot answer right now. Nothing is lost; reload the page in a moment.';
    default:
      return detail;
  }
}

/** A sentence with code between backticks. */
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
