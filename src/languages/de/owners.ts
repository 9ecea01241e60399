/** What owners read on the dashboard: listings, offers, claims, campaigns, members and plan. */
export const OWNERS: Readonly<Record<string, string>> = {
  // brand
  'at most {listings, plural, one {# listing} other {# listings}}':
    'höchstens {listings, plural, one {# Eintrag} other {# Einträge}}',
  'at most {offers, plural, one {# offer} other {# offers}} per listing':
    'höchstens {offers, plural, one {# Angebot} other {# Angebote}} pro Eintrag',
  'at most {members, plural, one {# member} other {# members}}':
    'höchstens {members, plural, one {# Mitglied} other {# Mitglieder}}',
  // campaigns
  'A campaign label is 1 to {maxLabelLength} lowercase letters, digits, hyphens and underscores; found {text}.':
    'Ein Kampagnen-Label besteht aus 1 bis {maxLabelLength} Kleinbuchstaben, Ziffern, Binde- und Unterstrichen; gefunden: {text}.',
  'Last 7 days': 'Letzte 7 Tage',
  'Last 30 days': 'Letzte 30 Tage',
  'Last 90 days': 'Letzte 90 Tage',
  'This year': 'Dieses Jahr',
  Custom: 'Eigener Zeitraum',
  'The last day needs a first day: `to` came without `from`.':
    'Zum letzten Tag gehört ein erster: `to` kam ohne `from`.',
  'The first day must not be after the last day; found {from} and {to}.':
    'Der erste Tag darf nicht nach dem letzten liegen; gefunden: {from} und {to}.',
  'A period has at most {max, number} days; found {length, number}.':
    'Ein Zeitraum hat höchstens {max, number} Tage; gefunden: {length, number}.',
  'The {which, select, first {first} other {last}} day is between {firstDay} and {lastDay} and written like these; found {text}.':
    'Der {which, select, first {erste} other {letzte}} Tag liegt zwischen {firstDay} und {lastDay} und wird so geschrieben; gefunden: {text}.',
  // dashboard/campaigns
  'Offers for {name}': 'Angebote für {name}',
  'Badge for your site': 'Badge für Ihre Website',
  'A picture with the offer and the claims left, a few minutes old at most. On a dark page, add {mono} to its address.':
    'Ein Bild mit dem Angebot und den verbleibenden Gutscheinen, höchstens einige Minuten alt. Für eine dunkle Seite hängen Sie {mono} an seine Adresse an.',
  HTML: 'HTML',
  'the HTML of the badge': 'das HTML des Badges',
  Markdown: 'Markdown',
  'the Markdown of the badge': 'das Markdown des Badges',
  '{mono} · 950 visitors · 120 claims · 102 arrived · 84 redeemed':
    '{mono} · 950 Besucher · 120 Gutscheine · 102 angekommen · 84 eingelöst',
  'What each share link brought in. A label is the text after “via=” in the link.':
    'Was jeder Teilen-Link gebracht hat. Ein Label ist der Text nach „via=“ im Link.',
  'Nobody visited or claimed in this period. Share a link with a label, and what it brings is counted here.':
    'In diesem Zeitraum gab es weder Besuche noch Gutscheine. Teilen Sie einen Link mit einem Label, dann wird hier gezählt, was er bringt.',
  'Campaigns count the visits and claims that each of your share links brings. Create a listing first.':
    'Kampagnen zählen die Besuche und Gutscheine, die jeder Ihrer Teilen-Links bringt. Legen Sie zuerst einen Eintrag an.',
  'Listing (the first {count} by name)': 'Eintrag (die ersten {count} nach Namen)',
  '{time} to {time2}, compared with the {count, plural, one {day} other {# days}} before. What happens counts on its day: a claim when it is made, and again when its claimant arrives on your page and when it is redeemed.':
    '{time} bis {time2}, verglichen mit {count, plural, one {dem Tag} other {den # Tagen}} davor. Jedes Ereignis zählt an seinem Tag: ein Gutschein, wenn er gesichert wird, und noch einmal, wenn jemand damit auf Ihrer Seite ankommt und wenn er eingelöst wird.',
  'no label': 'ohne Label',
  'Over time': 'Im Zeitverlauf',
  'Visits by day': 'Besuche pro Tag',
  'Visits by week': 'Besuche pro Woche',
  'Visits by month': 'Besuche pro Monat',
  'Claims by day': 'Gutscheine pro Tag',
  'Claims by week': 'Gutscheine pro Woche',
  'Claims by month': 'Gutscheine pro Monat',
  'Download CSV': 'CSV herunterladen',
  Labels: 'Labels',
  'Live claims only, most claims first.': 'Nur Live-Gutscheine, die meisten zuerst.',
  'Invalid labels': 'Ungültige Labels',
  '{sum, plural, one {# visit} other {# visits}} and {sum2, plural, one {# claim} other {# claims}} arrived with an invalid label, at any time. They count as “No label”. Use the share links from this page: labels have only lowercase letters, digits, - and _.':
    '{sum, plural, one {# Besuch} other {# Besuche}} und {sum2, plural, one {# Gutschein} other {# Gutscheine}} kamen insgesamt mit einem ungültigen Label. Sie zählen als „Ohne Label“. Verwenden Sie die Teilen-Links dieser Seite: Labels haben nur Kleinbuchstaben, Ziffern, - und _.',
  Others: 'Andere',
  '{visits, plural, one {# visit} other {# visits}}, {claims, plural, one {# claim} other {# claims}}':
    '{visits, plural, one {# Besuch} other {# Besuche}}, {claims, plural, one {# Gutschein} other {# Gutscheine}}',
  'No label': 'Ohne Label',
  Visits: 'Besuche',
  Visitors: 'Besucher',
  'Create a listing': 'Eintrag anlegen',
  Label: 'Label',
  Listing: 'Eintrag',
  Arrived: 'Angekommen',
  'in {visits, plural, one {# visit} other {# visits}}':
    'bei {visits, plural, one {# Besuch} other {# Besuchen}}',
  '{share} of {of, select, visitors {visitors} other {claims}}':
    '{share} der {of, select, visitors {Besucher} other {Gutscheine}}',
  'none before': 'davor keine',
  '{change}, before {before}': '{change}, davor {before}',
  'Share link': 'Teilen-Link',
  'Where you share the link, such as spring_newsletter. Lowercase letters, digits, - and _.':
    'Wo Sie den Link teilen, zum Beispiel spring_newsletter. Kleinbuchstaben, Ziffern, - und _.',
  'Create link': 'Link erstellen',
  'Use {mono}': '{mono} verwenden',
  'the share link': 'der Teilen-Link',
  'QR code of {link}': 'QR-Code von {link}',
  'Without a label': 'Ohne Label',
  'Counted as {label}': 'Gezählt als {label}',
  'Download QR code (SVG)': 'QR-Code herunterladen (SVG)',
  'The link works only on this computer, because it leads to {host}. Before others can open it, the operator must set BASE_URL to a public URL.':
    'Der Link funktioniert nur auf diesem Computer, weil er zu {host} führt. Damit andere ihn öffnen können, muss der Betreiber BASE_URL auf eine öffentliche Adresse setzen.',
  'The listing is not live, so the link shows nothing until it is approved.':
    'Der Eintrag ist nicht live, der Link zeigt also nichts, bis er freigegeben ist.',
  // dashboard/claims
  'A signed-in person, on your listing’s page': 'Eine angemeldete Person auf der Seite Ihres Eintrags',
  'The operator of this marketplace': 'Der Betreiber dieses Marktplatzes',
  'An import by the operator of this marketplace': 'Ein Import durch den Betreiber dieses Marktplatzes',
  'The operator has issued a new claim to replace this one, which stays redeemed.':
    'Der Betreiber hat als Ersatz einen neuen Gutschein ausgestellt. Dieser bleibt eingelöst.',
  'What happened': 'Was geschah',
  'Only calls until {time} were searched, because your server made very many since the claim.':
    'Es wurden nur Aufrufe bis {time} durchsucht, weil Ihr Server seit diesem Gutschein sehr viele gesendet hat.',
  'The claim': 'Der Gutschein',
  Id: 'ID',
  given: 'vergeben',
  'Created by': 'Erstellt von',
  'Opened your page': 'Öffnete Ihre Seite',
  'Retried: the response was “redeemed” again': 'Wiederholt: Die Antwort war noch einmal „redeemed“',
  'Replaced by a new claim': 'Durch einen neuen Gutschein ersetzt',
  'Verified: valid': 'Geprüft: gültig',
  'Refused: already redeemed': 'Abgelehnt: bereits eingelöst',
  'Answered {outcome}': 'Beantwortet mit {outcome}',
  'With the label {mono}': 'Mit dem Label {mono}',
  'The call had the same Idempotency-Key. Nothing was redeemed twice.':
    'Der Aufruf hatte denselben Idempotency-Key. Nichts wurde zweimal eingelöst.',
  'By the key “{name}” ({mono})': 'Mit dem Schlüssel „{name}“ ({mono})',
  'Request {requestId}': 'Anfrage {requestId}',
  Claimant: 'Person',
  Reference: 'Referenz',
  'Claim …{shortId}': 'Gutschein …{shortId}',
  none: 'keine',
  Offer: 'Angebot',
  Kind: 'Art',
  'No test claims yet. To create one, choose “Open with a test claim” on the page of an offer.':
    'Noch keine Test-Gutscheine. Um einen zu erzeugen, wählen Sie auf der Seite eines Angebots „Mit Test-Gutschein öffnen“.',
  'Go to your offers': 'Zu Ihren Angeboten',
  'Its token will look like {mono}': 'Sein Token sieht so aus: {mono}',
  'None of your offers has been claimed yet. New claims appear here.':
    'Noch hat sich niemand eines Ihrer Angebote gesichert. Neue Gutscheine erscheinen hier.',
  'Claims of your offers appear here. Create a listing first.':
    'Hier erscheinen die Gutscheine Ihrer Angebote. Legen Sie zuerst einen Eintrag an.',
  'Share your listing': 'Eintrag teilen',
  'Find by token, code, id, link or reference': 'Nach Token, Code, ID, Link oder Referenz suchen',
  '{token}, an id or a link': '{token}, eine ID oder ein Link',
  'Matching claims': 'Passende Gutscheine',
  'No claims match.': 'Keine passenden Gutscheine.',
  '{count, plural, one {# claim} other {# claims}}':
    '{count, plural, one {# Gutschein} other {# Gutscheine}}',
  'for {name}': 'für {name}',
  'not here': 'nicht hier',
  'not yet': 'noch nicht',
  'Listing (the first {count})': 'Eintrag (die ersten {count})',
  'All listings': 'Alle Einträge',
  'Any state': 'Jeder Status',
  'Any, or {none}': 'Beliebig, oder {none}',
  'Any, or an order number': 'Beliebig, oder eine Bestellnummer',
  'Claimed from': 'Gesichert ab',
  'Claimed until': 'Gesichert bis',
  'Redeemed from': 'Eingelöst ab',
  'Redeemed until': 'Eingelöst bis',
  'All offers': 'Alle Angebote',
  Claim: 'Gutschein',
  State: 'Status',
  'Enter a claim token, a code, an id, a link or a reference.':
    'Geben Sie ein Gutschein-Token, einen Code, eine ID, einen Link oder eine Referenz ein.',
  'This code was given to a claim that was lost in a restore.':
    'Dieser Code wurde für einen Gutschein vergeben, der bei einer Wiederherstellung verloren ging.',
  'None of your claims has this token, code, id, link or reference.':
    'Keiner Ihrer Gutscheine hat dieses Token, diesen Code, diese ID, diesen Link oder diese Referenz.',
  // dashboard/listings
  'Your apps on the marketplace, and those you are preparing.':
    'Ihre Apps auf dem Marktplatz und die, die Sie vorbereiten.',
  'Your listings': 'Ihre Einträge',
  'A listing is your app on the marketplace, with the offers that people claim there.':
    'Ein Eintrag ist Ihre App auf dem Marktplatz mit den Angeboten, die man sich dort sichert.',
  Fieldnotes: 'Feldnotizen',
  'New listing': 'Neuer Eintrag',
  Rate: 'Quote',
  'The website of the app. After approval, links to this site go live immediately; links to other sites are reviewed.':
    'Die Website der App. Nach der Freigabe sind Links zu dieser Website sofort live; Links zu anderen Websites werden geprüft.',
  'Only you see the draft until you submit it for review. Next, you add its offers.':
    'Nur Sie sehen den Entwurf, bis Sie ihn zur Prüfung einreichen. Als Nächstes fügen Sie die Angebote hinzu.',
  'Create draft': 'Entwurf anlegen',
  'As people will see it': 'So wird es aussehen',
  'Withdraw {name}?': '{name} zurückziehen?',
  'Withdraw listing': 'Eintrag zurückziehen',
  'It leaves the marketplace and takes no new claims. Existing claims stay redeemable. If you submit it again, it is reviewed again.':
    'Er verlässt den Marktplatz und nimmt keine neuen Gutscheine an. Vorhandene Gutscheine bleiben einlösbar. Wenn Sie ihn wieder einreichen, wird er erneut geprüft.',
  'Submit for review': 'Zur Prüfung einreichen',
  'Delete {name}?': '{name} löschen?',
  'Delete draft': 'Entwurf löschen',
  'This deletes the draft and its offers, which nobody but you has seen. This can’t be undone.':
    'Das löscht den Entwurf und seine Angebote, die außer Ihnen niemand gesehen hat. Es lässt sich nicht rückgängig machen.',
  'Save listing': 'Eintrag speichern',
  'Links to {code} go live immediately; links to other sites are reviewed. A new website is reviewed too, and this one stays live until then.':
    'Links zu {code} sind sofort live; Links zu anderen Websites werden geprüft. Auch eine neue Website wird geprüft, und diese bleibt bis dahin live.',
  Submitted: 'Eingereicht',
  Decided: 'Entschieden',
  'Approved site': 'Freigegebene Website',
  'your website': 'Ihre Website',
  'The name has too few letters from a to z to derive a public address. Enter one here.':
    'Der Name hat zu wenige Buchstaben von a bis z, um daraus eine öffentliche Adresse abzuleiten. Geben Sie hier eine ein.',
  'The name of your app, as people know it.': 'Der Name Ihrer App, wie man sie kennt.',
  'Can’t be changed after the first approval, because share links contain it.':
    'Kann nach der ersten Freigabe nicht geändert werden, weil Teilen-Links sie enthalten.',
  'Lowercase letters, digits and hyphens (derived from the name if left empty). It can’t be changed after the first approval, because share links contain it.':
    'Kleinbuchstaben, Ziffern und Bindestriche (leer: wird aus dem Namen abgeleitet). Kann nach der ersten Freigabe nicht geändert werden, weil Teilen-Links sie enthalten.',
  'One line that says what the app is.': 'Eine Zeile, die sagt, was die App ist.',
  'Where people find it on the front page.': 'Wo man sie auf der Startseite findet.',
  'Plain text. Empty lines make paragraphs.': 'Einfacher Text. Leerzeilen trennen Absätze.',
  'Preview without saving': 'Vorschau ohne Speichern',
  'Submit again': 'Wieder einreichen',
  Details: 'Einzelheiten',
  'Public page': 'Öffentliche Seite',
  'New offer': 'Neues Angebot',
  'the URL of the listing': 'die Adresse des Eintrags',
  None: 'Keiner',
  Created: 'Erstellt',
  'The last line is the name of <a>your account</a>.': 'Die letzte Zeile ist der Name <a>Ihres Kontos</a>.',
  'Name of your app': 'Name Ihrer App',
  'The operator declined {proposedUrl}': 'Der Betreiber hat {proposedUrl} abgelehnt',
  'The operator declined the new redemption link of “{offer}”':
    'Der Betreiber hat den neuen Einlöselink von „{offer}“ abgelehnt',
  'Keep the live version': 'Live-Version behalten',
  'Still live: {code}': 'Weiterhin live: {code}',
  'Only you see this draft': 'Diesen Entwurf sehen nur Sie',
  'Submit it for review when it is ready.': 'Reichen Sie ihn zur Prüfung ein, wenn er fertig ist.',
  'The operator reviews it. Until then you can edit it and <a>try your link</a>.':
    'Der Betreiber prüft ihn. Bis dahin können Sie ihn bearbeiten und <a>Ihren Link ausprobieren</a>.',
  'The operator asked for changes': 'Der Betreiber bittet um Änderungen',
  'Make the changes below, then submit the listing again.':
    'Nehmen Sie die Änderungen unten vor und reichen Sie den Eintrag dann wieder ein.',
  'The operator rejected this listing': 'Der Betreiber hat diesen Eintrag abgelehnt',
  'It cannot be changed or submitted again.': 'Er kann nicht geändert oder wieder eingereicht werden.',
  'You withdrew this listing': 'Sie haben diesen Eintrag zurückgezogen',
  'It takes no new claims. Submit it again to bring it back; existing claims stay redeemable.':
    'Er nimmt keine neuen Gutscheine an. Reichen Sie ihn wieder ein, um ihn zurückzuholen; vorhandene Gutscheine bleiben einlösbar.',
  'The operator suspended this listing': 'Der Betreiber hat diesen Eintrag gesperrt',
  'It takes no new claims. Existing claims stay redeemable.':
    'Er nimmt keine neuen Gutscheine an. Vorhandene Gutscheine bleiben einlösbar.',
  'Review it at the desk': 'Am Desk prüfen',
  'Add an offer, then submit it for review.':
    'Fügen Sie ein Angebot hinzu und reichen Sie ihn dann zur Prüfung ein.',
  'Submitted {time}.': 'Eingereicht: {time}.',
  'Reply to the operator': 'Antwort an den Betreiber',
  'Save your changes first.': 'Speichern Sie zuerst Ihre Änderungen.',
  'Live now and in review': 'Jetzt live und in Prüfung',
  'Changed since it was live': 'Geändert, seit er live war',
  'Was live': 'War live',
  'After approval': 'Nach der Freigabe',
  'Live now': 'Jetzt live',
  'In review': 'In Prüfung',
  'Offers of {name}': 'Angebote von {name}',
  'Opens on {time}': 'Beginnt am {time}',
  Gives: 'Gibt',
  Ends: 'Endet',
  'Link to {breakable}': 'Link zu {breakable}',
  code: 'Code',
  '{codesLeft, plural, one {# code} other {# codes}} left':
    'Noch {codesLeft, plural, one {# Code} other {# Codes}}',
  ', add some': ', bitte ergänzen',
  'An offer is what people claim: a discount, a trial, a gift.':
    'Ein Angebot ist, was man sich sichert: ein Rabatt, eine Testphase, ein Geschenk.',
  'Add an offer': 'Angebot hinzufügen',
  never: 'nie',
  'There is already a listing with the address “{slug}”. Choose another one.':
    'Es gibt bereits einen Eintrag mit der Adresse „{slug}“. Wählen Sie eine andere.',
  // dashboard/members
  'The invitation is on its way.': 'Die Einladung ist unterwegs.',
  'The role has been changed.': 'Die Rolle wurde geändert.',
  'The invitation no longer works.': 'Die Einladung gilt nicht mehr.',
  'The person no longer has access.': 'Die Person hat keinen Zugang mehr.',
  'Everyone works here with their own login, and every change is recorded under their name.':
    'Alle arbeiten hier mit ihrer eigenen Anmeldung, und jede Änderung wird unter ihrem Namen festgehalten.',
  'Open invitations': 'Offene Einladungen',
  'No invitation is open.': 'Keine Einladung ist offen.',
  For: 'Für',
  'Whoever has the link': 'Wer den Link hat',
  'Invited by': 'Eingeladen von',
  'Works until': 'Gilt bis',
  'Withdraw the invitation for {email}': 'Einladung zurückziehen: {email}',
  'whoever has the link': 'wer den Link hat',
  Withdraw: 'Zurückziehen',
  'Pass this link on': 'Geben Sie diesen Link weiter',
  'It works once, for {days} days. It isn’t shown again.':
    'Er gilt einmal, {days} Tage lang. Er wird nicht noch einmal angezeigt.',
  link: 'Link',
  'You, with the account’s own login': 'Sie, mit der eigenen Anmeldung des Kontos',
  'The account’s own login': 'Die eigene Anmeldung des Kontos',
  'You, {email}': 'Sie, {email}',
  People: 'Personen',
  'The beginning': 'Von Anfang an',
  'The account’s own login always stays an owner, so the account is never without one.':
    'Die eigene Anmeldung des Kontos bleibt immer Inhaber, das Konto hat also immer einen.',
  'Make owner: {name}': 'Zum Inhaber machen: {name}',
  'Make member: {name}': 'Zum Mitglied machen: {name}',
  'Make owner': 'Zum Inhaber machen',
  'Make member': 'Zum Mitglied machen',
  'Leave this account': 'Dieses Konto verlassen',
  'Listings, offers, claims, campaigns, requests, webhooks.':
    'Einträge, Angebote, Gutscheine, Kampagnen, Anfragen, Webhooks.',
  'API keys, plan and members too.': 'Auch API-Schlüssel, Tarif und Mitglieder.',
  'Invite somebody': 'Jemanden einladen',
  'We’ll send the invitation to it. Without an address you get a link to pass on, which works for anyone who has it.':
    'Wir senden die Einladung dorthin. Ohne Adresse erhalten Sie einen Link zum Weitergeben, der für jeden gilt, der ihn hat.',
  'Only this person can then use the link. Without an address it works for anyone who has it.':
    'Nur diese Person kann den Link dann verwenden. Ohne Adresse gilt er für jeden, der ihn hat.',
  Invite: 'Einladen',
  'Pass this link on to {email}': 'Geben Sie diesen Link weiter an {email}',
  'Remove a member': 'Mitglied entfernen',
  'Remove {name}?': '{name} entfernen?',
  '{email} loses access immediately, on every device. Invitations they sent stop working.':
    '{email} verliert den Zugang sofort und auf jedem Gerät. Einladungen, die diese Person verschickt hat, gelten nicht mehr.',
  'They haven’t created any API keys that still work.':
    'Diese Person hat keine API-Schlüssel erstellt, die noch gelten.',
  Remove: 'Entfernen',
  // dashboard/offers
  'Each claim gets the next code of the list. Only its claimant sees it.':
    'Jeder Gutschein erhält den nächsten Code der Liste. Nur wer ihn gesichert hat, sieht ihn.',
  '{count, plural, one {# line} other {# lines}} left out:':
    '{count, plural, one {# Zeile} other {# Zeilen}} ausgelassen:',
  'Line {line}: {reason}': 'Zeile {line}: {reason}',
  'And {count} more.': 'Und {count} weitere.',
  'The offer has no code list': 'Das Angebot hat keine Codeliste',
  'To give each claim its own code, <a>choose a code list for the offer</a>.':
    'Um jedem Gutschein einen eigenen Code zu geben, <a>wählen Sie eine Codeliste für das Angebot</a>.',
  'The code list is empty': 'Die Codeliste ist leer',
  'The offer takes claims once you add codes.':
    'Das Angebot nimmt Gutscheine an, sobald Sie Codes hinzufügen.',
  'New claims get the shared code until you add codes.':
    'Neue Gutscheine erhalten den gemeinsamen Code, bis Sie Codes hinzufügen.',
  '{left, plural, one {# code} other {# codes}} left': 'Noch {left, plural, one {# Code} other {# Codes}}',
  'The offer closes after the last one.': 'Das Angebot schließt nach dem letzten.',
  'After the last one, claims get the shared code.':
    'Nach dem letzten erhalten Gutscheine den gemeinsamen Code.',
  'One on each line, at most {maxCodesOfCall} at a time. Codes already in the list are left out.':
    'Einer pro Zeile, höchstens {maxCodesOfCall} auf einmal. Codes, die schon in der Liste sind, werden ausgelassen.',
  'Or choose a file': 'Oder Datei auswählen',
  'CSV or text with one code on each line, up to {maxCodesOfOffer}.':
    'CSV oder Text mit einem Code pro Zeile, bis zu {maxCodesOfOffer}.',
  'In the list': 'In der Liste',
  Left: 'Übrig',
  'Given to claims': 'An Gutscheine vergeben',
  Withheld: 'Zurückgehalten',
  'The service was restored from a backup. Codes are withheld until its operator releases them, because lost claims may have been given some. You can withdraw them before that.':
    'Der Dienst wurde aus einer Sicherung wiederhergestellt. Codes werden zurückgehalten, bis der Betreiber sie freigibt, weil verlorene Gutscheine einige davon erhalten haben können. Sie können sie vorher zurückziehen.',
  'Withdraw codes…': 'Codes zurückziehen …',
  'Withdraw the remaining codes of “{offer}”?': 'Die restlichen Codes von „{offer}“ zurückziehen?',
  'Withdraw {ungiven, plural, one {# code} other {# codes}}':
    '{ungiven, plural, one {# Code} other {# Codes}} zurückziehen',
  'They are deleted, and no claim gets them. Codes that were given to claims stay with them.':
    'Sie werden gelöscht, und kein Gutschein erhält sie. Bereits vergebene Codes bleiben bei ihren Gutscheinen.',
  Codes: 'Codes',
  'Sending {sent} of {total} lines…': '{sent} von {total} Zeilen werden gesendet …',
  'Codes added: {added}': 'Codes hinzugefügt: {added}',
  'Lines left out: {left}': 'Zeilen ausgelassen: {left}',
  'Sending stopped at line {line}: {reason}': 'Das Senden wurde in Zeile {line} abgebrochen: {reason}',
  'Sending failed. Reload the page and send the same codes again.':
    'Das Senden ist fehlgeschlagen. Laden Sie die Seite neu und senden Sie dieselben Codes noch einmal.',
  'No response. Send the same codes again: those already added are left out.':
    'Keine Antwort. Senden Sie dieselben Codes noch einmal: Bereits hinzugefügte werden ausgelassen.',
  'No list': 'Keine Liste',
  'A list, then the offer closes': 'Eine Liste, danach schließt das Angebot',
  'A list, then the shared code': 'Eine Liste, danach der gemeinsame Code',
  'A lower price, for a limited time or permanently.': 'Ein niedrigerer Preis, befristet oder dauerhaft.',
  'A longer or larger trial than usual.': 'Eine längere oder umfangreichere Testphase als üblich.',
  'Something to spend in the app.': 'Guthaben zum Ausgeben in der App.',
  'Something on top of what people buy.': 'Etwas zusätzlich zum Kauf.',
  'Access that others don’t have, or don’t have yet.': 'Zugang, den andere nicht oder noch nicht haben.',
  'Free, without buying anything.': 'Gratis, ohne etwas zu kaufen.',
  'Check without saving': 'Prüfen ohne Speichern',
  'As people will read it, such as “20% off the first year”.':
    'Wie man es lesen wird, zum Beispiel „20 % Rabatt im ersten Jahr“.',
  'A page on your site, with {code} where the claim token goes: {code2}.':
    'Eine Seite auf Ihrer Website mit {code} an der Stelle des Gutschein-Tokens: {code2}.',
  'Your plan has no API keys to verify tokens with, so a shared code is enough.':
    'Ihr Tarif hat keine API-Schlüssel, um Token zu prüfen, ein gemeinsamer Code genügt also.',
  'For development: only you can open it, with test claims, and it is not reviewed. It may be on your computer: {code}.':
    'Für die Entwicklung: Nur Sie können ihn öffnen, mit Test-Gutscheinen, und er wird nicht geprüft. Er darf auf Ihrem Computer liegen: {code}.',
  'The same for everyone. People enter it at your checkout. An offer needs a link, a shared code or a code list.':
    'Für alle gleich. Man gibt ihn an Ihrer Kasse ein. Ein Angebot braucht einen Link, einen gemeinsamen Code oder eine Codeliste.',
  'Each claim gets its own code, from a list that you add after saving. Only the claimant sees it.':
    'Jeder Gutschein erhält einen eigenen Code aus einer Liste, die Sie nach dem Speichern hinzufügen. Nur wer ihn gesichert hat, sieht ihn.',
  'The page on your site where people enter the code. Default: your website.':
    'Die Seite auf Ihrer Website, auf der man den Code eingibt. Standard: Ihre Website.',
  'Who can claim the offer, and how to use it. Shown before people claim.':
    'Wer sich das Angebot sichern kann und wie man es nutzt. Wird vor dem Sichern angezeigt.',
  'The offer ends after this many claims. Existing claims stay redeemable.':
    'Das Angebot endet nach so vielen Gutscheinen. Vorhandene Gutscheine bleiben einlösbar.',
  '{zone}, or with Z in UTC': '{zone}, oder mit Z in UTC',
  'A day such as 2026-11-20, or a time such as 2026-11-20T10:00, in {zones}.':
    'Ein Tag wie 2026-11-20 oder ein Zeitpunkt wie 2026-11-20T10:00, in {zones}.',
  'In {zone}. Before, people see the offer with this date but can’t claim it. Leave it empty to open it immediately.':
    'In {zone}. Vorher sieht man das Angebot mit diesem Datum, kann es sich aber nicht sichern. Leer: Es beginnt sofort.',
  'The offer is open until the end of this day in {zone}.':
    'Das Angebot gilt bis zum Ende dieses Tages in {zone}.',
  'The offer is open until this time in {zone}.': 'Das Angebot gilt bis zu diesem Zeitpunkt in {zone}.',
  'Enter a link to see where it leads.': 'Geben Sie einen Link ein, um zu sehen, wohin er führt.',
  'This link won’t work': 'Dieser Link funktioniert nicht',
  'The link is well-formed': 'Der Link ist wohlgeformt',
  'The link is well-formed, but check this': 'Der Link ist wohlgeformt, aber prüfen Sie dies',
  Parameter: 'Parameter',
  'Final link': 'Endgültiger Link',
  Then: 'Dann',
  'It is the offer’s link as soon as you save.': 'Er ist der Link des Angebots, sobald Sie speichern.',
  'This is the offer’s current link.': 'Das ist der aktuelle Link des Angebots.',
  'It is already waiting for review.': 'Er wartet bereits auf Prüfung.',
  'The operator declined this link.': 'Der Betreiber hat diesen Link abgelehnt.',
  'It will be reviewed with the listing.': 'Er wird mit dem Eintrag geprüft.',
  'It goes live as soon as you save.': 'Er ist live, sobald Sie speichern.',
  'It waits for review first, because its host is not the approved {pinned}.':
    'Er wartet zuerst auf Prüfung, weil sein Host nicht der freigegebene {pinned} ist.',
  'It waits for review, because its host is not the approved {pinned}. Until then the current link stays live.':
    'Er wartet auf Prüfung, weil sein Host nicht der freigegebene {pinned} ist. Bis dahin bleibt der aktuelle Link live.',
  'What people get, and how they get it.': 'Was man bekommt und wie.',
  'Add offer': 'Angebot hinzufügen',
  'Save offer': 'Angebot speichern',
  Duplicate: 'Duplizieren',
  Pause: 'Pausieren',
  Resume: 'Fortsetzen',
  'Delete “{offer}”?': '„{offer}“ löschen?',
  'Delete offer': 'Angebot löschen',
  'It was never live, so nobody has claimed it. This can’t be undone.':
    'Es war nie live, also hat es sich niemand gesichert. Das lässt sich nicht rückgängig machen.',
  'If you changed the live link, existing claims now use the new one too.':
    'Wenn Sie den Live-Link geändert haben, nutzen jetzt auch vorhandene Gutscheine den neuen.',
  'The operator declined {proposedLink}': 'Der Betreiber hat {proposedLink} abgelehnt',
  'Submit {name} for review': '{name} zur Prüfung einreichen',
  'Add another offer': 'Weiteres Angebot hinzufügen',
  'People see the offer once the operator has approved the listing.':
    'Man sieht das Angebot, sobald der Betreiber den Eintrag freigegeben hat.',
  '<a>{name}</a> is a draft. Its offers open when the operator approves it.':
    '<a>{name}</a> ist ein Entwurf. Die Angebote beginnen, wenn der Betreiber ihn freigibt.',
  '<a>{name}</a> waits for review. Its offers open when the operator approves it.':
    '<a>{name}</a> wartet auf Prüfung. Die Angebote beginnen, wenn der Betreiber ihn freigibt.',
  '<a>{name}</a> needs changes. Its offers open when the operator approves it.':
    '<a>{name}</a> braucht Änderungen. Die Angebote beginnen, wenn der Betreiber ihn freigibt.',
  '<a>{name}</a> is withdrawn. Its offers open again when the operator approves it again.':
    '<a>{name}</a> ist zurückgezogen. Die Angebote beginnen wieder, wenn der Betreiber ihn erneut freigibt.',
  'Not open now': 'Derzeit nicht offen',
  '<a>{name}</a> is suspended. Its offers take no new claims until the suspension ends.':
    '<a>{name}</a> ist gesperrt. Die Angebote nehmen keine neuen Gutscheine an, bis die Sperre endet.',
  '<a>{name}</a> was rejected. Its offers take no claims.':
    '<a>{name}</a> wurde abgelehnt. Die Angebote nehmen keine Gutscheine an.',
  'It takes no new claims until you resume it. Existing claims stay redeemable.':
    'Es nimmt keine neuen Gutscheine an, bis Sie es fortsetzen. Vorhandene Gutscheine bleiben einlösbar.',
  'It opens on {time}. Until then people see it with this date, without its code or link, and can’t claim it.':
    'Es beginnt am {time}. Bis dahin sieht man es mit diesem Datum, ohne Code und Link, und kann es sich nicht sichern.',
  'It ended on {time}. Choose a later end to take claims again.':
    'Es endete am {time}. Wählen Sie ein späteres Ende, um wieder Gutscheine anzunehmen.',
  'It has reached its claim limit. Raise the limit to take more claims.':
    'Es hat sein Limit erreicht. Erhöhen Sie das Limit, um weitere Gutscheine anzunehmen.',
  'A new redemption link is waiting for review': 'Ein neuer Einlöselink wartet auf Prüfung',
  'Keep the live link': 'Live-Link behalten',
  'no link': 'kein Link',
  'Try it': 'Ausprobieren',
  'Add a redemption link or a test link to open it here with a test claim.':
    'Fügen Sie einen Einlöselink oder Test-Link hinzu, um ihn hier mit einem Test-Gutschein zu öffnen.',
  'You can open the link here with a test claim once it is live. If you add a test link, you can open that now.':
    'Sie können den Link hier mit einem Test-Gutschein öffnen, sobald er live ist. Wenn Sie einen Test-Link hinzufügen, können Sie diesen sofort öffnen.',
  'Opens your {link, select, test {test} other {live}} link with the token of a test claim, as a claimant’s browser would. The claim is not counted; you find it under Claims in test mode.':
    'Öffnet Ihren {link, select, test {Test} other {Live}}-Link mit dem Token eines Test-Gutscheins, wie es ein Browser täte. Der Gutschein zählt nicht; Sie finden ihn im Testmodus unter Gutscheine.',
  'Your page verifies the claim with a <a>test key</a>. Once the claim is redeemed, opening the link again creates a new one. The <a2>link check</a2> also shows what your page does with the token.':
    'Ihre Seite prüft den Gutschein mit einem <a>Test-Schlüssel</a>. Ist er eingelöst, erzeugt erneutes Öffnen des Links einen neuen. Die <a2>Link-Prüfung</a2> zeigt auch, was Ihre Seite mit dem Token macht.',
  '{left, number} left, {given, number} given': '{left, number} übrig, {given, number} vergeben',
  'Live link': 'Live-Link',
  'Last day': 'Letzter Tag',
  'Offer id': 'Angebots-ID',
  'Show claims': 'Gutscheine anzeigen',
  'Open with a test claim': 'Mit Test-Gutschein öffnen',
  'Opens on': 'Beginnt am',
  'Choose icon and cover picture': 'Icon und Titelbild auswählen',
  'Codes of {offer}': 'Codes von {offer}',
  '{added, plural, one {# code} other {# codes}} added':
    '{added, plural, one {# Code} other {# Codes}} hinzugefügt',
  '{withdrawn, plural, one {# code} other {# codes}} withdrawn':
    '{withdrawn, plural, one {# Code} other {# Codes}} zurückgezogen',
  // dashboard
  Picture: 'Bild',
  Pictures: 'Bilder',
  'The operator reviews pictures with the listing.': 'Der Betreiber prüft Bilder zusammen mit dem Eintrag.',
  'No picture yet': 'Noch kein Bild',
  'Choose a picture first.': 'Wählen Sie zuerst ein Bild aus.',
  'The operator reviews new pictures. Until then, people see the previous ones. You can remove a picture at any time.':
    'Der Betreiber prüft neue Bilder. Bis dahin sieht man die bisherigen. Entfernen können Sie ein Bild jederzeit.',
  'The terms have changed': 'Die AGB haben sich geändert',
  'Accept the terms': 'AGB akzeptieren',
  'You asked to publish': 'Sie haben um Veröffentlichung gebeten',
  'Publishing needs the operator’s approval': 'Zum Veröffentlichen braucht es die Zustimmung des Betreibers',
  'Ask to publish…': 'Um Veröffentlichung bitten …',
  'What you want to publish, and anything else the operator should know.':
    'Was Sie veröffentlichen möchten und was der Betreiber sonst wissen sollte.',
  'Ask to publish': 'Um Veröffentlichung bitten',
  'Asked on {time}. The answer from {operator} will appear here.':
    'Angefragt am {time}. Hier erscheint die Antwort: {operator}.',
  'You can’t create or submit listings yet. Your existing listings stay as they are.':
    'Sie können noch keine Einträge anlegen oder einreichen. Vorhandene Einträge bleiben, wie sie sind.',
  // dashboard/start
  'Your verification': 'Ihre Prüfung',
  'Claims ever': 'Gutscheine insgesamt',
  'Claims and redemptions': 'Gutscheine und Einlösungen',
  'All claims': 'Alle Gutscheine',
  'Latest claims': 'Neueste Gutscheine',
  'No API key is active': 'Kein API-Schlüssel ist aktiv',
  'Every call from your server is refused. Create a key and put it on your server.':
    'Jeder Aufruf Ihres Servers wird abgelehnt. Erstellen Sie einen Schlüssel und hinterlegen Sie ihn auf Ihrem Server.',
  'Every call from your server is refused, because your plan has no API keys.':
    'Jeder Aufruf Ihres Servers wird abgelehnt, weil Ihr Tarif keine API-Schlüssel hat.',
  'Go live: create a live key': 'Live gehen: Live-Schlüssel erstellen',
  'Create a live key': 'Live-Schlüssel erstellen',
  'You have test keys only. With a test key, your server gets {code} for real claims. Replace it with a live key before you share your listing.':
    'Sie haben nur Test-Schlüssel. Mit einem Test-Schlüssel erhält Ihr Server für echte Gutscheine {code}. Ersetzen Sie ihn durch einen Live-Schlüssel, bevor Sie Ihren Eintrag teilen.',
  'Your server cannot check these claims yet': 'Ihr Server kann diese Gutscheine noch nicht prüfen',
  'Add a code': 'Code hinzufügen',
  '{offer} has a redemption link but no code. Verifying its tokens takes an API key, which your plan does not have.':
    '{offer} hat einen Einlöselink, aber keinen Code. Um die Token zu prüfen, braucht man einen API-Schlüssel, den Ihr Tarif nicht hat.',
  'Codes are running out': 'Die Codes werden knapp',
  '{offer}: {codesLeft, plural, one {# code} other {# codes}} left.':
    '{offer}: noch {codesLeft, plural, one {# Code} other {# Codes}}.',
  'The offer is closed until you add codes.': 'Das Angebot ist geschlossen, bis Sie Codes hinzufügen.',
  'New claims get the shared code.': 'Neue Gutscheine erhalten den gemeinsamen Code.',
  'New website': 'Neue Website',
  'New redemption link': 'Neuer Einlöselink',
  'In review and sent back': 'In Prüfung und zurückgegeben',
  'What is in review or was sent back': 'Was in Prüfung ist oder zurückgegeben wurde',
  What: 'Was',
  'No offer has been claimed yet. Share the URL of your listing.':
    'Noch hat sich niemand ein Angebot gesichert. Teilen Sie die Adresse Ihres Eintrags.',
  'Open it': 'Öffnen',
  'Last {days} days, compared with the {days} before': 'Letzte {days} Tage, verglichen mit den {days} davor',
  'Four steps to your first verified claim.': 'Vier Schritte zum ersten geprüften Gutschein.',
  'Owners work here. You become one when you create your first listing.':
    'Hier arbeiten Anbieter. Sie werden einer, wenn Sie Ihren ersten Eintrag anlegen.',
  'Make an offer for your app, and verify each claim on your server.':
    'Machen Sie ein Angebot für Ihre App, und prüfen Sie jeden Gutschein auf Ihrem Server.',
  'How it works': 'So funktioniert es',
  'Go to your overview': 'Zum Überblick',
  '{name} is a draft. Submit it for review when it is ready.':
    '{name} ist ein Entwurf. Reichen Sie ihn zur Prüfung ein, wenn er fertig ist.',
  'Open the draft': 'Entwurf öffnen',
  '{name} waits for review. You can continue with the next steps.':
    '{name} wartet auf Prüfung. Sie können mit den nächsten Schritten weitermachen.',
  '{name} needs changes before it can be published.': '{name} braucht Änderungen vor der Veröffentlichung.',
  'See what to change': 'Änderungen ansehen',
  '{name} was rejected.': '{name} wurde abgelehnt.',
  '{name} is withdrawn. Submit it again to publish it.':
    '{name} ist zurückgezogen. Reichen Sie den Eintrag wieder ein, um ihn zu veröffentlichen.',
  '{name} is suspended by the operator.': '{name} ist vom Betreiber gesperrt.',
  'See why': 'Grund ansehen',
  '{name} is published.': '{name} ist veröffentlicht.',
  'A listing shows your app on the marketplace. The operator reviews it first.':
    'Ein Eintrag zeigt Ihre App auf dem Marktplatz. Der Betreiber prüft ihn zuerst.',
  'Set the redemption link': 'Einlöselink festlegen',
  'The redemption link waits for review, because its host is not the approved one.':
    'Der Einlöselink wartet auf Prüfung, weil sein Host nicht der freigegebene ist.',
  'The URL of a page on your site, with {code} in place of the claim token. Claimants are sent there with their token.':
    'Die Adresse einer Seite auf Ihrer Website mit {code} an der Stelle des Gutschein-Tokens. Dorthin werden Personen mit ihrem Token geleitet.',
  'Set the link': 'Link festlegen',
  'Your server sends it with every call. Keep it on the server, never in a page or an app.':
    'Ihr Server sendet ihn bei jedem Aufruf. Bewahren Sie ihn auf dem Server auf, nie in einer Seite oder App.',
  'Your plan has no API keys. A shared code is enough for a listing; with {linkToPlans} your server can also verify each token.':
    'Ihr Tarif hat keine API-Schlüssel. Für einen Eintrag genügt ein gemeinsamer Code; mit {linkToPlans} kann Ihr Server auch jedes Token prüfen.',
  'Create an API key': 'API-Schlüssel erstellen',
  'Verify a claim from your server': 'Gutschein von Ihrem Server aus prüfen',
  'When a claimant opens the link, your server checks whether the token is valid.':
    'Wenn jemand den Link öffnet, prüft Ihr Server, ob das Token gültig ist.',
  'Your first verification: {outcome, select, redeemed {redeemed} valid {valid} other {{outcome}}}':
    'Ihre erste Prüfung: {outcome, select, redeemed {eingelöst} valid {gültig} other {{outcome}}}',
  'Your first redemption': 'Ihre erste Einlösung',
  '{time}, answered in {latency}. Request {code}': '{time}, beantwortet in {latency}. Anfrage {code}',
  'The claim is valid and not redeemed yet. Call with {code} to redeem it, and apply the offer only if the response is {code2}.':
    'Der Gutschein ist gültig und noch nicht eingelöst. Rufen Sie mit {code} auf, um ihn einzulösen, und wenden Sie das Angebot nur an, wenn die Antwort {code2} ist.',
  'Waiting for your first verification…': 'Warten auf Ihre erste Prüfung …',
  'When a claimant opens your page, your server sends the token to this service with the API key.':
    'Wenn jemand Ihre Seite öffnet, sendet Ihr Server das Token mit dem API-Schlüssel an diesen Dienst.',
  'Start your server and open the link with a test claim: the call appears here.':
    'Starten Sie Ihren Server und öffnen Sie den Link mit einem Test-Gutschein: Der Aufruf erscheint hier.',
  'Get the code for your page': 'Code für Ihre Seite',
  'Not working? <a>Check the link</a>.': 'Funktioniert es nicht? <a>Prüfen Sie den Link</a>.',
  'No call appears?': 'Kein Aufruf erscheint?',
  'Calls with an unknown key or to another URL can’t be shown here. Check the response in your server’s log: 401 means that the key is missing, quoted or cut off. 404 {code} or a refused connection means that the URL is wrong. It should be {code2}.':
    'Aufrufe mit unbekanntem Schlüssel oder an eine andere Adresse können hier nicht gezeigt werden. Sehen Sie sich die Antwort im Protokoll Ihres Servers an: 401 heißt, dass der Schlüssel fehlt, in Anführungszeichen steht oder abgeschnitten ist. 404 {code} oder eine abgelehnte Verbindung heißt, dass die Adresse falsch ist. Sie sollte {code2} lauten.',
  'Make the call with curl': 'Mit curl aufrufen',
  'the call': 'den Aufruf',
  'Replace {code} with your API key and {code2} with the token, which is in the URL of the page that opens, in place of {code3}. A test claim needs a test key. Use a new Idempotency-Key for each order: for 24 hours, the same one gets the same answer.':
    'Ersetzen Sie {code} durch Ihren API-Schlüssel und {code2} durch das Token, das in der Adresse der geöffneten Seite an der Stelle von {code3} steht. Ein Test-Gutschein braucht einen Test-Schlüssel. Verwenden Sie für jede Bestellung einen neuen Idempotency-Key: 24 Stunden lang erhält derselbe dieselbe Antwort.',
  'A call arrived, but it verified no claim': 'Ein Aufruf kam an, hat aber keinen Gutschein geprüft',
  'token {code}': 'Token {code}',
  'key {keyName}': 'Schlüssel {keyName}',
  '{times} times': '{times}-mal',
  'The fixed test token {name} was verified, so your server reaches this service. It belongs to no claim: open your link with a test claim and verify that one.':
    'Das feste Test-Token {name} wurde geprüft, Ihr Server erreicht diesen Dienst also. Es gehört zu keinem Gutschein: Öffnen Sie Ihren Link mit einem Test-Gutschein und prüfen Sie diesen.',
  // http
  'Only owners of {accountName} can open this page. You are a member.':
    'Nur Inhaber von {accountName} können diese Seite öffnen. Sie sind Mitglied.',
  'Ask an owner to do it, or to make you an owner.':
    'Bitten Sie einen Inhaber, das zu tun oder Sie zum Inhaber zu machen.',
  'Back to the dashboard': 'Zurück zum Dashboard',
  'For owners': 'Für Inhaber',
  'Your other pictures are still being uploaded. Try again in a minute.':
    'Ihre anderen Bilder werden noch hochgeladen. Versuchen Sie es in einer Minute noch einmal.',
  'Many pictures are being uploaded. Try again in a minute.':
    'Gerade werden viele Bilder hochgeladen. Versuchen Sie es in einer Minute noch einmal.',
  'The form could not be read. Send it again.':
    'Das Formular konnte nicht gelesen werden. Senden Sie es noch einmal.',
  'A form with a file must be sent as multipart/form-data.':
    'Ein Formular mit einer Datei muss als multipart/form-data gesendet werden.',
  // ui
  '{day} so far: {amounts}.': '{day} bisher: {amounts}.',
  'Show as a table': 'Als Tabelle anzeigen',
  Day: 'Tag',
  '{name}: {sum}': '{name}: {sum}',
  '{name}: {sum}, most ({peak}) on {day}': '{name}: {sum}, die meisten ({peak}) am {day}',
  Shortcuts: 'Tastenkürzel',
  'Single-key shortcuts': 'Tastenkürzel mit einer Taste',
  'They do nothing while you type. This browser remembers the switch.':
    'Beim Tippen bewirken sie nichts. Dieser Browser merkt sich den Schalter.',
  'The chosen picture': 'Das gewählte Bild',
  '<strong>Test mode.</strong> Claims, API keys and requests are test data. Everything else is live.':
    '<strong>Testmodus.</strong> Gutscheine, API-Schlüssel und Anfragen sind Testdaten. Alles andere ist live.',
  'Leave test mode': 'Testmodus verlassen',
  To: 'Bis',
  'Current {name}': 'Aktuell: {name}',
  'No picture is live': 'Kein Bild ist live',
  'New {name}': 'Neu: {name}',
  'The operator declined the new picture: {q}': 'Der Betreiber hat das neue Bild abgelehnt: {q}',
  'Choose a file': 'Datei auswählen',
  'Choose another file': 'Andere Datei auswählen',
  'Upload {name}': 'Hochladen: {name}',
  Upload: 'Hochladen',
  'Withdraw the new one: {name}': 'Neues zurückziehen: {name}',
  'Withdraw the new one': 'Neues zurückziehen',
  'Remove {name}': 'Entfernen: {name}',
  'Nothing was searched': 'Es wurde nichts gesucht',
  'Back to the newest': 'Zurück zu den neuesten',
  'Clear the filters': 'Filter leeren',
  'No match so far': 'Bisher nichts gefunden',
  'There may be more': 'Es kann noch mehr geben',
  'Look further back': 'Weiter zurück suchen',
  'Everything since {time} was searched.': 'Alles seit {time} wurde durchsucht.',
  '{amount}, newest first': '{amount}, neueste zuerst',
  'The last {amount}, newest first': 'Zuletzt {amount}, neueste zuerst',
  '{count, number} of {amount}': '{count, number} von {amount}',
  'The newest {shown}': 'Die neuesten: {shown}',
  'The next {shown}': 'Die nächsten: {shown}',
  'a moment': 'ein Moment',
  '{count, plural, one {# minute} other {# minutes}}': '{count, plural, one {# Minute} other {# Minuten}}',
  '{count, plural, one {# hour} other {# hours}}': '{count, plural, one {# Stunde} other {# Stunden}}',
  '{count, plural, one {# day} other {# days}}': '{count, plural, one {# Tag} other {# Tage}}',
  '{change} from {before}': '{change} gegenüber {before}',
};
