/** Addresses of the doctor. */

export const DOCTOR_PATH = '/dashboard/doctor';

/** The check-up of an offer by its id. */
export const checkUpPath = (offerId: string): string => `${DOCTOR_PATH}/${offerId}`;
