import {
  type Announcement,
  type AnnouncementPhase,
  announcementSettings,
  announcementTexts,
  phaseOf,
} from '../../../base/brand/announcement.ts';
import type { Context } from '../../../base/context.ts';
import { ANNOUNCEMENT_PATH } from '../../../base/paths.ts';
import { changeAnnouncement } from '../../../base/settings/change-brand.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { Card } from '../../ui/card.tsx';
import { AnnouncementText } from '../../ui/shell-parts.tsx';
import { TimeWithZone } from '../../ui/time.tsx';
import { addSettings, type Sections, SettingsForm, settingsIn, textsOf } from './parts.tsx';

const SECTIONS: Sections<Announcement> = [
  [message('Announcement'), ['text', 'level', 'audience']],
  [message('When it is shown'), ['startsAt', 'endsAt']],
];

export function announcementDeskPages(app: PageRouter, context: Context): void {
  const { marketplace } = context;
  addSettings(app, {
    path: ANNOUNCEMENT_PATH,
    lead: message(
      'A sentence at the top of pages, such as planned maintenance. It is not translated, and no mail is sent.',
    ),
    saved: message('The announcement is saved.'),
    read: () => marketplace.storedAnnouncement,
    texts: (announcement) => textsOf(announcementTexts(announcement, marketplace.timeZone)),
    parse: (form, stored) => settingsIn(form, announcementSettings(marketplace.timeZone), stored),
    save: (announcement, change) => changeAnnouncement(context, { announcement, ...change }),
    content: (form) => {
      const { storedAnnouncement: announcement, timeZone } = marketplace;
      return (
        <div class="columns">
          <SettingsForm
            form={form}
            path={ANNOUNCEMENT_PATH}
            settings={announcementSettings(timeZone)}
            sections={SECTIONS}
            save={t('Save announcement')}
          />
          {announcement.text !== null && (
            <aside class="stack form">
              <Card title={t('What is saved')} isStack>
                <AnnouncementText {...announcement} text={announcement.text} />
                <p class="soft-text">
                  <PhaseText phase={phaseOf(announcement, context.now())} {...announcement} />
                </p>
              </Card>
            </aside>
          )}
        </div>
      );
    },
  });
}

function PhaseText({ phase, startsAt, endsAt }: { phase: AnnouncementPhase } & Announcement) {
  const end = endsAt === null ? '' : <TimeWithZone at={endsAt} />;
  if (phase === 'over') return <>{t('Not shown any more: it ended on {end}.', { end })}</>;
  const hasEnd = endsAt === null ? 'no' : 'yes';
  return phase === 'planned'
    ? t('Shown from {start}{hasEnd, select, yes { until {end}} other {}}.', {
        start: <TimeWithZone at={startsAt!} />,
        hasEnd,
        end,
      })
    : t('Shown now{hasEnd, select, yes { until {end}} other {}}.', { hasEnd, end });
}
