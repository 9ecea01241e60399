import { useContext } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { DEFAULT_TIME_ZONE, zoneText } from '../../platform/text/time-zone.ts';
import { type FieldProps, TextField } from './field.tsx';
import { TimeZone } from './time.tsx';

const LOCAL_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?$/;

/** A plain text field for a value that a date control cannot show. A date control would drop the value. */
function TypedTimeField(control: FieldProps) {
  const zone = useContext(TimeZone);
  const zones =
    zone === DEFAULT_TIME_ZONE ? zone : t('{zone}, or in UTC with a Z at the end', { zone: zoneText(zone) });
  return (
    <TextField
      {...control}
      mono
      hint={t('A day such as 2026-11-20, or a time such as 2026-11-20T10:00, in {zones}.', { zones })}
    />
  );
}

export function LocalTimeField({ hint, ...control }: FieldProps) {
  const typed = control.form.typed(control.name);
  if (!LOCAL_TIME.test(typed)) return <TypedTimeField {...control} />;
  const isToMinute = typed.length <= LOCAL_MINUTE_LENGTH;
  return <TextField {...control} type="datetime-local" isToMinute={isToMinute} hint={hint} />;
}

const LOCAL_MINUTE_LENGTH = '2026-11-20T10:00'.length;
