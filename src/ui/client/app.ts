/** What every page gains with JavaScript. Nothing here is needed for a page to work. */
export {};
