/** Pages of failures: one for each code, the `type` of its problems, and the page that a person gets on a failure. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '../errors.ts';
import { Breadcrumb } from '../ui/breadcrumb.tsx';
import { Breakable } from '../ui/breakable.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import type { Markup } from '../ui/markup.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Table } from '../ui/table.tsx';
import { describeError, errorsOf, nameOf, type Operation } from './operation.ts';
import { missing, type PageGroup, page } from './pages.ts';
import { createProblems, ERROR_PAGES_PATH } from './problem.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** `operations`: all of the API, whose definitions say more about their errors. */
export const errorPages =
  (operations: readonly Operation[]): PageGroup =>
  (app) => {
    app.get(ERROR_PAGES_PATH, (c) =>
      page(c, <ErrorIndexPage operations={operations} />, { title: 'Errors' }),
    );
    app.get(`${ERROR_PAGES_PATH}/:code`, (c) => {
      const code = c.req.param('code');
      if (!isErrorCode(code)) throw missing();
      const title = `${ERRORS[code].title} (${code})`;
      const { baseUrl } = c.get('site');
      return page(c, <ErrorPage code={code} operations={operations} baseUrl={baseUrl} />, { title });
    });
  };

function ErrorIndexPage({ operations }: { operations: readonly Operation[] }): Markup {
  return (
    <>
      <PageHeader
        title="Errors"
        lead={
          <>
            Every failure is answered as <code>application/problem+json</code> with one of these codes.
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
          { header: 'Meaning', cell: (code) => <WithCode text={ERRORS[code].meaning} /> },
        ]}
      />
      <div class="prose">
        {operations.map((operation) => (
          <>
            <h2>
              <code>
                <Breakable text={nameOf(operation)} />
              </code>
            </h2>
            <p>
              <WithCode text={operation.description} />
            </p>
          </>
        ))}
      </div>
    </>
  );
}

interface ErrorPageProps {
  readonly code: ErrorCode;
  readonly operations: readonly Operation[];
  readonly baseUrl: string;
}

function ErrorPage({ code, operations, baseUrl }: ErrorPageProps): Markup {
  const { status, title } = ERRORS[code];
  return (
    <>
      <PageHeader
        title={title}
        above={<Breadcrumb trail={[['Errors', ERROR_PAGES_PATH]]} />}
        lead={
          <>
            HTTP {status} · <code>{code}</code>
          </>
        }
      />
      <div class="prose">
        {explanations(code, operations).map(({ names, meaning, cause, fix }) => (
          <>
            {names.length > 0 && (
              <p>
                Answered by <WithCode text={names.map((name) => `\`${name}\``).join(', ')} />
              </p>
            )}
            <h2>Meaning</h2>
            <p>
              <WithCode text={meaning} />
            </p>
            <h2>Cause</h2>
            <p>
              <WithCode text={cause} />
            </p>
            <h2>Fix</h2>
            <p>
              <WithCode text={fix} />
            </p>
            <h2>Example</h2>
            <Code what="the example" text={exampleOf(code, meaning, baseUrl)} wraps />
          </>
        ))}
      </div>
    </>
  );
}

interface Explanation extends Pick<ErrorEntry, 'meaning' | 'cause' | 'fix'> {
  /** The operations that answer with it. */
  readonly names: readonly string[];
}

/** The texts of the operations about an error, equal ones once; the general texts where no operation answers with it. */
function explanations(code: ErrorCode, operations: readonly Operation[]): readonly Explanation[] {
  const described = operations.flatMap((operation) => {
    const error = errorsOf(operation)[code];
    return error === undefined ? [] : [{ ...describeError(code, error), name: nameOf(operation) }];
  });
  if (described.length === 0) return [{ ...ERRORS[code], names: [] }];
  const alike = Map.groupBy(described, ({ meaning, cause, fix }) => JSON.stringify([meaning, cause, fix]));
  return [...alike.values()].map((group) => ({ ...group[0]!, names: group.map(({ name }) => name) }));
}

const exampleOf = (code: ErrorCode, detail: string, baseUrl: string): string =>
  JSON.stringify(JSON.parse(createProblems(baseUrl)(code, detail, 'req_example_1').body), null, 2);

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

export interface FailurePageProps {
  readonly code: ErrorCode;
  /** The refusal in words. */
  readonly detail: string;
  readonly requestId: string;
}

export const failureTitle = (code: ErrorCode): string =>
  code === 'unknown_path' ? 'Nothing here' : ERRORS[code].title;

/**
 * The page that a person gets on a failure. For a missing page it does not repeat the address: another account's page is
 * answered with the same bytes.
 */
export function FailurePage({ code, detail, requestId }: FailurePageProps): Markup {
  return (
    <>
      <PageHeader title={failureTitle(code)} lead={<WithCode text={sentenceOf(code, detail)} />} />
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
