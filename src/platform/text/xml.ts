/** Characters that XML 1.0 (section 2.2) forbids even as character references. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NO_CHARACTER, '\ufffd')
    .replace(/[&<>"']/g, (character) => REFERENCES[character]!);
