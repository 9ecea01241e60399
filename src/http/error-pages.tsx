/** The pages that the `type` of a problem leads to: one a code, all from the error vocabulary. */
import { ERRORS, type ErrorCode } from '../errors.ts';
import { Page } from '../ui/page.tsx';
import { createProblems, ERROR_PAGES_PATH } from './problem.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

export function ErrorIndexPage() {
  return (
    <Page title="Errors">
      <main>
        <h1>Errors</h1>
        <p>
          Every failure is answered as <code>application/problem+json</code> with one of these codes. A token
          that no claim has is no error: it is answered 404 with <code>{'{"status":"not_found"}'}</code>.
        </p>
        <section class="scroll" aria-label="Errors" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Code</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {CODES.map((code) => (
                <tr>
                  <td>{ERRORS[code].status}</td>
                  <td>
                    <a href={`${ERROR_PAGES_PATH}/${code}`}>{code}</a>
                  </td>
                  <td>{ERRORS[code].meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </main>
    </Page>
  );
}

export function ErrorPage(props: { code: ErrorCode; baseUrl: string }) {
  const { status, title, meaning, cause, fix } = ERRORS[props.code];
  const example = createProblems(props.baseUrl)(props.code, meaning, 'req_example_1');
  return (
    <Page title={`${title} (${props.code})`}>
      <nav>
        <a href={ERROR_PAGES_PATH}>All errors</a>
      </nav>
      <main>
        <h1>{title}</h1>
        <p class="quiet">
          HTTP {status} · <code>{props.code}</code>
        </p>
        <h2>Meaning</h2>
        <p>{meaning}</p>
        <h2>Cause</h2>
        <p>{cause}</p>
        <h2>Fix</h2>
        <p>{fix}</p>
        <h2>Example</h2>
        <pre tabindex={0}>
          <code>{JSON.stringify(JSON.parse(example.body), null, 2)}</code>
        </pre>
      </main>
    </Page>
  );
}
