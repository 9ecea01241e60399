/** Pictures of listings, of offers and of the marketplace. */

export interface PicturesTable {
  id: string;
  /** `null`: the marketplace's. */
  account_id: string | null;
  /** The listing or offer; the nil UUID for the marketplace. */
  subject_id: string;
  kind: 'icon' | 'cover' | 'offer' | 'logo';
  /** JSON of the name, width and height of each file. */
  files: string;
  /** Of all files. */
  bytes: number;
  created_at: string;
  /** Another picture is shown in its place; its files are served for a day more. */
  replaced_at: string | null;
}

export interface PictureFilesTable {
  /** Made from the content, so pictures of the same content have files of the same name. */
  name: string;
  picture_id: string;
  data: Uint8Array;
}
