/** Redemption links that the parser and the pages must reject. */

const SCHEME = 'must start with https://';
const WHOLE = 'must be a full address';
const SLASHES = 'must have two slashes';
const NO_HOST = 'has no host';
const HTTP = 'http is only for localhost';
const USER = 'contains user information';
const HOST_CLAIM = '{claim} in its host';
const PATH = '{claim} in its path';
const FRAGMENT = '{claim} in its fragment';
const PARAMETER_NAME = '{claim} in the name of a query parameter';
const ENCODED = 'a percent-encoded placeholder';
const BRACES = 'no other braces are allowed';
const SPELLING = 'the placeholder is written {claim}';
const NONE = 'has no {claim}';
const PORT = 'an invalid port';
const READ_AS = 'which browsers read as';
const NO_NAME = 'an invalid part';
const INVISIBLE = 'the invisible character';
const LONG_LABEL = 'x'.repeat(64);
const base = 'https://shop.example';

/** Each link with a part of its error message. */
export const BAD_LINKS: readonly (readonly [link: string, reason: string])[] = [
  // Schemes
  ['', 'is empty'],
  ['javascript:alert(1)//?t={claim}', SCHEME],
  ['javascript://shop.example/%0aalert(1)?t={claim}', SCHEME],
  ['data:text/html,<script>?t={claim}', SCHEME],
  ['file:///etc/passwd?t={claim}', SCHEME],
  ['ftp://shop.example/?t={claim}', SCHEME],
  ['view-source:https://shop.example/?t={claim}', SCHEME],
  ['mailto:ada@shop.example?t={claim}', SCHEME],
  ['HTTPS://shop.example/?t={claim}', SCHEME],
  ['{claim}://shop.example/?t=1', WHOLE],
  ['//shop.example/?t={claim}', WHOLE],
  ['/welcome?t={claim}', WHOLE],
  ['shop.example/?t={claim}', WHOLE],
  ['shop.example:443/?t={claim}', SCHEME],
  [':https://shop.example/?t={claim}', WHOLE],
  ['https:shop.example/?t={claim}', SLASHES],
  ['https:/shop.example/?t={claim}', SLASHES],
  ['https://', NO_HOST],
  ['https:///shop.example/?t={claim}', NO_HOST],
  ['https://?t={claim}', NO_HOST],
  ['http://shop.example/?t={claim}', HTTP],
  ['http://localhost.shop.example/?t={claim}', HTTP],
  ['http://127.0.0.2/?t={claim}', HTTP],
  ['http://0.0.0.0/?t={claim}', HTTP],
  // User information
  ['https://ada@shop.example/?t={claim}', USER],
  ['https://ada:secret@shop.example/?t={claim}', USER],
  ['https://shop.example@evil.example/?t={claim}', USER],
  ['https://@shop.example/?t={claim}', USER],
  ['http://localhost@evil.example/?t={claim}', USER],
  // Misplaced placeholders
  ['https://{claim}.shop.example/', HOST_CLAIM],
  ['https://{claim}/?t=1', HOST_CLAIM],
  ['https://shop.example:{claim}/?t=1', HOST_CLAIM],
  ['https://{claim}@shop.example/?t=1', HOST_CLAIM],
  ['https://shop.example{claim}?t=1', HOST_CLAIM],
  [`${base}/{claim}`, PATH],
  [`${base}/claims/{claim}/open`, PATH],
  [`${base}/;t={claim}`, PATH],
  [`${base}/#{claim}`, FRAGMENT],
  [`${base}/?t=1#t={claim}`, FRAGMENT],
  [`${base}/?{claim}`, PARAMETER_NAME],
  [`${base}/?{claim}=1`, PARAMETER_NAME],
  [`${base}/?x{claim}y=1`, PARAMETER_NAME],
  [`${base}/?={claim}`, 'a query parameter without a name'],
  // Repeated and missing placeholders, repeated parameters
  [`${base}/?a={claim}&b={claim}`, '2 times'],
  [`${base}/?a={claim}{claim}`, '2 times'],
  [`${base}/{claim}?a={claim}`, '2 times'],
  [`${base}/?a={claim}#{claim}`, '2 times'],
  [`${base}/?a={claim}&b={claim}&c={claim}`, '3 times'],
  [`${base}/?t=1&t={claim}`, 'the query parameter "t" more than once'],
  [`${base}/?t={claim}&t`, 'the query parameter "t" more than once'],
  [`${base}/?t={claim}&%74=1`, 'the query parameter "t" more than once'],
  [`${base}/`, NONE],
  [`${base}/?t=claim`, NONE],
  [`${base}/?t={}`, NONE],
  [`${base}/?t={Claim}`, SPELLING],
  // Encoded placeholders
  [`${base}/?t=%7Bclaim%7D`, ENCODED],
  [`${base}/?t={claim%7D`, ENCODED],
  [`${base}/?t=%7Bclaim}`, ENCODED],
  [`${base}/?t={cl%61im}`, ENCODED],
  [`${base}/?t=%7B%63%6C%61%69%6D%7D`, ENCODED],
  [`${base}/?t=%257Bclaim%257D`, ENCODED],
  [`${base}/?t={claim}&u=%7Bclaim%7D`, ENCODED],
  [`${base}/%7Bclaim%7D?t={claim}`, ENCODED],
  [`${base}/?t={claim}#%7Bclaim%7D`, ENCODED],
  ['https://%7Bclaim%7D.shop.example/?t={claim}', ENCODED],
  // Pasted HTML, template syntax, quotes and punctuation
  [`${base}/?src=mkt&amp;claim={claim}`, 'which is how HTML encodes "&"'],
  [`${base}/?src=mkt&#38;claim={claim}`, 'which is how HTML encodes "&"'],
  [`${base}/?t={ claim }`, SPELLING],
  [`${base}/?t={{ claim }}`, SPELLING],
  [`${base}/?t=\${claim}`, SPELLING],
  [`${base}/?t=<claim>`, SPELLING],
  [`<${base}/?t={claim}>`, 'begins with "<"'],
  [`“${base}/?t={claim}”`, 'begins with "“"'],
  [`"${base}/?t={claim}"`, 'begins with'],
  [`${base}/?t={claim}.`, 'ends with "."'],
  [`${base}/?t={claim})`, 'ends with ")"'],
  [`${base}/?t={claim}”`, 'ends with "”"'],
  // Braces
  [`${base}/?t={{claim}}`, BRACES],
  [`${base}/?t={claim}&u={user}`, BRACES],
  [`${base}/{x}?t={claim}`, BRACES],
  [`${base}/?t={claim}}`, BRACES],
  // Invalid hosts, and hosts that browsers read differently
  ['https://аpple.example/?t={claim}', READ_AS],
  ['https://bücher.example/?t={claim}', 'read as "xn--bcher-kva.example"'],
  ['https://shop。example/?t={claim}', 'read as "shop.example"'],
  ['https://ｓhop.example/?t={claim}', 'read as "shop.example"'],
  ['https://shop.example／evil/?t={claim}', 'an invalid host'],
  ['https://faß.example/?t={claim}', READ_AS],
  ['https://SHOP.example/?t={claim}', 'read as "shop.example"'],
  ['https://XN--BCHER-KVA.example/?t={claim}', READ_AS],
  ['https://xn--a.example/?t={claim}', 'invalid Punycode'],
  ['https://shop.xn--a-/?t={claim}', NO_NAME],
  ['https://xn--bücher.example/?t={claim}', 'an invalid host'],
  ['https://2130706433/?t={claim}', 'read as "127.0.0.1"'],
  ['http://0177.0.0.1/?t={claim}', 'read as "127.0.0.1"'],
  ['http://[0:0:0:0:0:0:0:1]/?t={claim}', 'read as "[::1]"'],
  ['https://[::ffff:127.0.0.1]/?t={claim}', READ_AS],
  ['https://1.2.3.4.5/?t={claim}', 'an invalid host'],
  ['https://[::1/?t={claim}', 'an invalid host or port'],
  ['https://::1/?t={claim}', 'an invalid port'],
  ['https://shop%2Eexample/?t={claim}', 'an invalid host'],
  ['https://shop.example%00.evil.example/?t={claim}', 'an invalid host'],
  ['https://shop.example./?t={claim}', 'an empty part between its dots'],
  ['https://shop..example/?t={claim}', 'an empty part between its dots'],
  ['https://-shop.example/?t={claim}', NO_NAME],
  ['https://*.shop.example/?t={claim}', NO_NAME],
  ['https://shop,example/?t={claim}', NO_NAME],
  [`https://${LONG_LABEL}.example/?t={claim}`, NO_NAME],
  [`https://${'a.'.repeat(130)}example/?t={claim}`, 'has a host of 267 characters'],
  // Ports
  ['https://shop.example:/?t={claim}', PORT],
  ['https://shop.example:0/?t={claim}', PORT],
  ['https://shop.example:65536/?t={claim}', PORT],
  ['https://shop.example:https/?t={claim}', PORT],
  ['https://shop.example:80:90/?t={claim}', PORT],
  // Characters
  ['https://shop.example\\@evil.example/?t={claim}', 'a backslash'],
  [`${base}/a\\b?t={claim}`, 'a backslash'],
  [` ${base}/?t={claim}`, 'a space'],
  [`${base}/?t={claim} `, 'a space'],
  [`${base}/a b?t={claim}`, 'a space'],
  [`${base}/?t={claim}\n`, INVISIBLE],
  [`${base}/\r\nSet-Cookie:x?t={claim}`, INVISIBLE],
  ['java\tscript:alert(1)?t={claim}', INVISIBLE],
  ['\u0000https://shop.example/?t={claim}', INVISIBLE],
  ['\ufeffhttps://shop.example/?t={claim}', INVISIBLE],
  ['https://shop\u200b.example/?t={claim}', INVISIBLE],
  ['https://shop\u00ad.example/?t={claim}', INVISIBLE],
  ['https://shop.example/\u202egpj?t={claim}', INVISIBLE],
  ['https://shop.example/\ud800?t={claim}', INVISIBLE],
  [`${base}/café?t={claim}`, 'contains "é"; write it as %C3%A9'],
  [`${base}/🎁?t={claim}`, 'write it as %F0%9F%8E%81'],
  [`${base}/<b>?t={claim}`, 'write it as %3C'],
  [`${base}/"?t={claim}`, 'write it as %22'],
  [`${base}/?t={claim}|x`, 'write it as %7C'],
  [`${base}/100%?t={claim}`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?q=%zz&t={claim}`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?t={claim}%a`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?t={claim}&x=${'x'.repeat(2_048)}`, 'at most 2048 are allowed'],
  ['https://shop.example/w??claim={claim}', 'parameter "?claim", with a "?" or ";" in its name'],
  ['https://shop.example/w?a?claim={claim}', 'parameter "a?claim", with a "?"'],
  ['https://shop.example/w?%3Fclaim={claim}', 'parameter "?claim", with a "?"'],
  ['https://shop.example/w?src=mkt&lt;claim={claim}', 'parameter "lt;claim", with a "?" or ";"'],
  ['https://shop.example/w?a;claim={claim}', 'parameter "a;claim", with a "?" or ";"'],
];
