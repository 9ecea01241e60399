/** A page of a list sorted by id, which is the order of creation. */
export interface IdPage {
  /** The id of the last row before the page; the first page unless set. */
  readonly after?: string | undefined;
  /** Rows at most; all unless set. */
  readonly limit?: number | undefined;
}
