export interface PicturesTable {
  id: string;
  /** `null` for a picture of the marketplace. */
  account_id: string | null;
  /** The listing, also for a picture of an offer; `null` for the marketplace. */
  listing_id: string | null;
  /** The listing or offer; for the marketplace see `src/pictures/picture.ts`. */
  subject_id: string;
  kind: 'icon' | 'cover' | 'offer' | 'logo';
  /** JSON of the name, width and height of each file. */
  files: string;
  bytes: number;
  created_at: string;
  /** When the picture was proposed. The previous one stays live until this one is approved. */
  proposed_at: string | null;
  declined_reason: string | null;
  /** When another picture replaced it. Its files are served for another day. */
  replaced_at: string | null;
}

export interface PictureFilesTable {
  /** Contains a hash of the content, so pictures with the same content have files with the same names. */
  name: string;
  picture_id: string;
  data: Uint8Array;
}
