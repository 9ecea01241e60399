export interface PicturesTable {
  id: string;
  /** `null` for the marketplace's own pictures, such as its logo. */
  account_id: string | null;
  /** The listing of the picture or of the picture's offer; `null` for the marketplace. */
  listing_id: string | null;
  /** ID of the listing or offer; for the marketplace, a value of `PICTURE_SUBJECTS`. */
  subject_id: string;
  kind: 'icon' | 'cover' | 'offer' | 'logo';
  /** JSON array with the name, width and height of each file. */
  files: string;
  bytes: number;
  created_at: string;
  /** When the picture was submitted for review. The previous picture stays live until this one is approved. */
  proposed_at: string | null;
  declined_reason: string | null;
  /** When another picture replaced this one. The files of this picture are served for one more day. */
  replaced_at: string | null;
}

export interface PictureFilesTable {
  /** Contains a hash of the content, so pictures with the same content share file names. */
  name: string;
  picture_id: string;
  data: Uint8Array;
}
