/** Removes control characters, trims the text and truncates it to `maxLength`. */
export const searchText = (typed: string, maxLength: number): string =>
  typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLength);

/** Pattern for `like … escape '\\'` that matches strings containing `text`. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
