/** Why a request got no complete response, in sentences for owners. */
import { message, type Words } from '../languages/translate.ts';

/** Includes the headers of informational responses, of which a server may send any number. */
export const MAX_HEADER_BYTES = 16 * 1_024;
/** Thrown if no complete response arrives. The message is for the owner: stored in English and translated on pages. */
export class OutgoingFailure extends Error {
  override name = 'OutgoingFailure';

  constructor(sentence: Words, options?: ErrorOptions) {
    super(String(sentence), options);
  }
}

/** A reused keep-alive connection was closed before a response arrived. */
export class StaleConnection extends OutgoingFailure {}

/**
 * All failures to connect have the same duration, and a message that says only what owners can learn anyway: `check`
 * refuses names without a callable address, and closed ports look like servers without TLS. Otherwise owners could find
 * out which names and ports exist in networks that only this service can reach. Only the operator sees `reason`.
 */
export class NoConnection extends OutgoingFailure {
  readonly reason: string;
  constructor(
    reason: string,
    options?: ErrorOptions,
    sentence = message(
      'No connection to the port. Check that it is open to the internet and that TLS works.',
    ),
  ) {
    super(sentence, options);
    this.reason = reason;
  }
}

/** The host is unknown, or none of its addresses may be called: which of the two is not revealed. */
export class NoAddress extends NoConnection {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      reason,
      options,
      message('No connection: the host name does not resolve to a public address. Check its DNS records.'),
    );
  }
}

export const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

export const isUnknownName = (error: unknown): boolean =>
  /^(?:ENOTFOUND|ENODATA|EBADNAME)$/.test(codeOf(error));

/** OpenSSL reports a TLS alert of the server as EPROTO. A server that doesn't speak TLS sends none. */
const TLS_ALERT = /SSL alert number (\d+)/;
/** By the number of the alert. A server that gets no client certificate sends 116 or, with TLS 1.2, often 40. */
const TLS_ALERTS: Readonly<Record<string, Words>> = {
  40: message(
    'The server refused the TLS handshake. Check that it supports TLS 1.2 or 1.3, and requires no client certificate.',
  ),
  116: message(
    'The server requires a client certificate. Configure it to accept requests without a client certificate.',
  ),
};

function tlsAlertOf(error: Error): OutgoingFailure | null {
  const [, alert] = TLS_ALERT.exec(error.message) ?? [];
  if (alert === undefined) return null;
  return new OutgoingFailure(
    TLS_ALERTS[alert] ??
      message('The server refused the TLS handshake. Check that it supports TLS 1.2 or 1.3.'),
    { cause: error },
  );
}

/**
 * Reports invalid certificates and refused handshakes, because only the owner of the host can fix them. Reveals only
 * that TLS is spoken.
 */
export function connectFailureOf(error: Error): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  // If a host has several addresses, Node reports one error per address.
  const first = error instanceof AggregateError ? ((error.errors as Error[])[0] ?? error) : error;
  const code = codeOf(first);
  const alert = tlsAlertOf(first);
  if (alert !== null) return alert;
  if (Object.hasOwn(CERTIFICATE_FAILURES, code)) {
    return new OutgoingFailure(CERTIFICATE_FAILURES[code]!, { cause: error });
  }
  return /CERT|SELF_SIGNED|ALTNAME|LEAF/.test(code)
    ? new OutgoingFailure(`The TLS certificate is not valid (${code}).`, { cause: error })
    : new NoConnection(code === '' ? first.message : code, { cause: error });
}

const SELF_SIGNED = message('The TLS certificate is self-signed. Install one from a public authority.');
const INCOMPLETE_CHAIN = message(
  'The TLS certificate is from an unknown authority, or the server doesn’t send the intermediate certificates.',
);

/** By Node's error code. Stored in English and translated when shown, so without values. */
const CERTIFICATE_FAILURES: Readonly<Record<string, Words>> = {
  CERT_HAS_EXPIRED: message('The TLS certificate has expired. Renew it.'),
  CERT_NOT_YET_VALID: message('The TLS certificate is not valid yet. Check the clock of your server.'),
  ERR_TLS_CERT_ALTNAME_INVALID: message('The TLS certificate is for another host name.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: INCOMPLETE_CHAIN,
};

export const largeHeaders = (options?: ErrorOptions): OutgoingFailure =>
  new OutgoingFailure(
    `The headers of the response are larger than ${MAX_HEADER_BYTES / 1_024} KiB.`,
    options,
  );

export function failureOf(error: Error, isReused: boolean): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  // With TLS 1.3, the server checks the client's certificate after the connection is established.
  const alert = tlsAlertOf(error);
  if (alert !== null) return alert;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const Failure = isReused ? StaleConnection : OutgoingFailure;
    return new Failure(message('The connection was closed before the response was complete.'), options);
  }
  if (code === 'HPE_HEADER_OVERFLOW') return largeHeaders(options);
  if (code.startsWith('HPE_')) return new OutgoingFailure(`The response is not HTTP (${code}).`, options);
  return new OutgoingFailure(`The connection failed (${code === '' ? error.name : code}).`, options);
}
