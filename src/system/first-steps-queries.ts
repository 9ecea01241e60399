import { isFound, type Queryable } from '../store/database.ts';

export const hasLiveListing = (db: Queryable): Promise<boolean> =>
  isFound(db.selectFrom('listings').select('id').where('state', '=', 'approved').limit(1));
