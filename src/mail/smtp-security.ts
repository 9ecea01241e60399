/** How mail is protected on its way to the server that SMTP_URL names. */
import { isLoopbackHost } from '../network/network.ts';

/**
 * `tls`: from the first byte (`smtps://`). `starttls`: the connection must switch to TLS before it carries anything.
 * `opportunistic`: it switches only if the server offers TLS, so an attacker in between can read mail and password.
 */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic';

/** The parameter of SMTP_URL that permits plain text, under the name that nodemailer gives it. */
const REQUIRE_TLS = 'requireTLS';

/** `url`: a valid SMTP_URL. A server on this machine is reached without a network. */
export function smtpSecurity(url: string): SmtpSecurity {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === 'smtps:') return 'tls';
  const wanted = searchParams.get(REQUIRE_TLS);
  if (wanted === 'false') return 'opportunistic';
  return wanted === null && isLoopbackHost(hostname) ? 'opportunistic' : 'starttls';
}
