/** Pictures of listings, of offers and of the marketplace. */

export interface PicturesTable {
  id: string;
  /** `null`: the marketplace's. */
  account_id: string | null;
  /** The listing, also of an offer's picture; `null`: the marketplace's. */
  listing_id: string | null;
  /** The listing or offer; for the marketplace see `src/pictures/picture.ts`. */
  subject_id: string;
  kind: 'icon' | 'cover' | 'offer' | 'logo';
  /** JSON of the name, width and height of each file. */
  files: string;
  /** Of all files. */
  bytes: number;
  created_at: string;
  /** It waits for the operator since then, or was declined, while the one before is shown. */
  proposed_at: string | null;
  declined_reason: string | null;
  /** Another picture is shown in its place; its files are served for a day more. */
  replaced_at: string | null;
}

export interface PictureFilesTable {
  /** Made from the content, so pictures of the same content have files of the same name. */
  name: string;
  picture_id: string;
  data: Uint8Array;
}
