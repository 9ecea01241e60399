/** The typed text without control characters, cut to `maxLength`. */
export const searchText = (typed: string, maxLength: number): string =>
  typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLength);

/** The pattern for texts that contain this one, for `like … escape '\\'`. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
