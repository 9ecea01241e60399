/** The pages of failures: one for each code that the `type` of a problem leads to, and those a person meets. */
import { ERRORS, type ErrorCode } from '../errors.ts';
import { Breadcrumb } from '../ui/breadcrumb.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import type { Markup } from '../ui/markup.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Table } from '../ui/table.tsx';
import { missing, type PageApp, page } from './pages.ts';
import { createProblems, ERROR_PAGES_PATH } from './problem.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

export function errorPages(app: PageApp): void {
  app.get(ERROR_PAGES_PATH, (c) => page(c, <ErrorIndexPage />, { title: 'Errors' }));
  app.get(`${ERROR_PAGES_PATH}/:code`, (c) => {
    const code = c.req.param('code');
    if (!isErrorCode(code)) throw missing();
    const title = `${ERRORS[code].title} (${code})`;
    return page(c, <ErrorPage code={code} baseUrl={c.get('site').baseUrl} />, { title });
  });
}

function ErrorIndexPage(): Markup {
  return (
    <>
      <PageHeader
        title="Errors"
        lead={
          <>
            Every failure is answered as <code>application/problem+json</code> with one of these codes. A
            token that no claim has is no error: it is answered 404 with{' '}
            <code>{'{"status":"not_found"}'}</code>.
          </>
        }
      />
      <Table
        caption="Errors"
        rows={CODES}
        columns={[
          {
            header: 'Code',
            isName: true,
            cell: (code) => (
              <a class="mono" href={`${ERROR_PAGES_PATH}/${code}`}>
                {code}
              </a>
            ),
          },
          { header: 'Status', cell: (code) => ERRORS[code].status },
          { header: 'Meaning', cell: (code) => ERRORS[code].meaning },
        ]}
      />
    </>
  );
}

function ErrorPage(props: { code: ErrorCode; baseUrl: string }): Markup {
  const { status, title, meaning, cause, fix } = ERRORS[props.code];
  const example = createProblems(props.baseUrl)(props.code, meaning, 'req_example_1');
  return (
    <>
      <PageHeader
        title={title}
        above={<Breadcrumb trail={[['Errors', ERROR_PAGES_PATH]]} />}
        lead={
          <>
            HTTP {status} · <code>{props.code}</code>
          </>
        }
      />
      <div class="prose">
        <h2>Meaning</h2>
        <p>{meaning}</p>
        <h2>Cause</h2>
        <p>{cause}</p>
        <h2>Fix</h2>
        <p>
          <WithCode text={fix} />
        </p>
        <h2>Example</h2>
        <Code what="the example" text={JSON.stringify(JSON.parse(example.body), null, 2)} />
      </div>
    </>
  );
}

/** A sentence in which code stands between backticks. */
const WithCode = ({ text }: { text: string }): Markup => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>
);

export interface FailurePageProps {
  readonly code: ErrorCode;
  /** What was refused, in words. */
  readonly detail: string;
  readonly requestId: string;
}

export const failureTitle = (code: ErrorCode): string =>
  code === 'unknown_path' ? 'Nothing here' : ERRORS[code].title;

/**
 * What a person meets when there is no page to show. A missing page says nothing of what was asked for: another
 * account's is answered with the same bytes.
 */
export function FailurePage({ code, detail, requestId }: FailurePageProps): Markup {
  return (
    <>
      <PageHeader title={failureTitle(code)} lead={sentenceOf(code, detail)} />
      {code === 'internal_error' && (
        <p class="end-space soft-text">
          If it happens again, tell the operator this number: <code>{requestId}</code>
        </p>
      )}
      <ButtonLink href="/">Go to the start page</ButtonLink>
    </>
  );
}

function sentenceOf(code: ErrorCode, detail: string): string {
  switch (code) {
    case 'unknown_path':
      return 'There is no page at this address, or it is not yours to see.';
    case 'internal_error':
      return 'Something went wrong here. What you sent may or may not have been saved: look before you send it again.';
    case 'unavailable':
      return 'The service cannot answer right now. Nothing is lost; reload the page in a moment.';
    default:
      return detail;
  }
}
