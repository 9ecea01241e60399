/** Texts of the owners' dashboard: start page, claims and campaigns. */
export const DASHBOARD: Readonly<Record<string, string>> = {
  // brand
  'at most {listings, plural, one {# listing} other {# listings}}':
    'höchstens {listings, plural, one {# Eintrag} other {# Einträge}}',
  'at most {offers, plural, one {# offer} other {# offers}} per listing':
    'höchstens {offers, plural, one {# Angebot} other {# Angebote}} je Eintrag',
  'at most {members, plural, one {# member} other {# members}}':
    'höchstens {members, plural, one {# Mitglied} other {# Mitglieder}}',
  // campaigns
  'A campaign label must have 1 to {maxLabelLength} characters, which can be lowercase letters, digits, hyphens and underscores; found {text}.':
    'Ein Kampagnen-Label besteht aus 1 bis {maxLabelLength} Kleinbuchstaben, Ziffern, Binde- und Unterstrichen; gefunden: {text}.',
  '7 days': '7 Tage',
  '30 days': '30 Tage',
  '90 days': '90 Tage',
  'This year': 'Dieses Jahr',
  Custom: 'Eigener Zeitraum',
  'A last day (to) needs a first day (from).': 'Zum letzten Tag (to) fehlt der erste (from).',
  'The first day must not be after the last day; found {from} and {to}.':
    'Der erste Tag darf nicht nach dem letzten liegen; gefunden: {from} und {to}.',
  'A period can have at most {max, number} days; this one has {length, number}.':
    'Ein Zeitraum hat höchstens {max, number} Tage; dieser hat {length, number}.',
  'The {which, select, first {first} other {last}} day must be between {firstDay} and {lastDay}, in this format; found {text}.':
    'Der {which, select, first {erste} other {letzte}} Tag muss zwischen {firstDay} und {lastDay} liegen und so geschrieben sein; gefunden: {text}.',
  // dashboard/campaigns
  'Offers for {name}': 'Angebote für {name}',
  'Badge for your site': 'Badge für Ihre Website',
  'A picture that shows the offer. If only a few claims are left, it also shows how many. The picture is at most a few minutes old. On a dark page, add {mono} to the picture’s address.':
    'Ein Bild mit dem Angebot und, wenn nur noch wenige Gutscheine übrig sind, deren Zahl, höchstens einige Minuten alt. Für eine dunkle Seite hängen Sie {mono} an seine Adresse an.',
  HTML: 'HTML',
  'the HTML of the badge': 'das HTML des Badges',
  Markdown: 'Markdown',
  'the Markdown of the badge': 'das Markdown des Badges',
  '{mono} · 950 visitors · 120 claims · 102 arrived · 84 redeemed':
    '{mono} · 950 Besucher · 120 Gutscheine · 102 angekommen · 84 eingelöst',
  'What each share link brought in. A label is the text after “via=” in the link.':
    'Was jeder Teilen-Link gebracht hat. Ein Label ist der Text nach „via=“ im Link.',
  'No visits or claims in this period. Share a link with a label, and its visits and claims are counted here.':
    'In diesem Zeitraum gab es weder Besuche noch Gutscheine. Teilen Sie einen Link mit einem Label, dann wird hier gezählt, was er bringt.',
  'Campaigns show how many visits and claims each of your share links brings. Create a listing first.':
    'Kampagnen zählen die Besuche und Gutscheine, die jeder Ihrer Teilen-Links bringt. Legen Sie zuerst einen Eintrag an.',
  'Listing (the first {count} by name)': 'Eintrag (die ersten {count} nach Namen)',
  '{time} to {time2}, compared with the {count, plural, one {day} other {# days}} before.':
    '{time} bis {time2}, verglichen mit {count, plural, one {dem Tag} other {den # Tagen}} davor.',
  '{time} to {time2}. There are no earlier numbers to compare with.':
    '{time} bis {time2}, ohne frühere Zahlen zum Vergleich.',
  'Each visit, claim and redemption is counted on the day it happens.':
    'Besuche, Gutscheine und Einlösungen zählen an dem Tag, an dem sie geschehen.',
  'no label': 'ohne Label',
  'Over time': 'Im Zeitverlauf',
  'Visits by day': 'Besuche pro Tag',
  'Visits by week': 'Besuche pro Woche',
  'Claims by day': 'Gutscheine pro Tag',
  'Claims by week': 'Gutscheine pro Woche',
  'file|Download {format}': '{format}-Export',
  'CSV for Excel': 'CSV für Excel',
  Labels: 'Labels',
  'Live claims only, sorted by claims.': 'Nur Live-Gutscheine, die meisten zuerst.',
  'Invalid labels': 'Ungültige Labels',
  'Since the listing was created, {sum, plural, one {# visit} other {# visits}} and {sum2, plural, one {# claim} other {# claims}} have arrived with an invalid label. They count as “No label”. Use the share links from this page: labels contain only lowercase letters, digits, - and _.':
    '{sum, plural, one {# Besuch} other {# Besuche}} und {sum2, plural, one {# Gutschein} other {# Gutscheine}} kamen insgesamt mit einem ungültigen Label. Sie zählen als „Ohne Label“. Verwenden Sie die Teilen-Links dieser Seite: Labels haben nur Kleinbuchstaben, Ziffern, - und _.',
  Others: 'Andere',
  '{visits, plural, one {# visit} other {# visits}}, {claims, plural, one {# claim} other {# claims}}':
    '{visits, plural, one {# Besuch} other {# Besuche}}, {claims, plural, one {# Gutschein} other {# Gutscheine}}',
  'No label': 'Ohne Label',
  '{count, plural, one {# visit} other {# visits}}': '{count, plural, one {# Besuch} other {# Besuche}}',
  '{count, plural, one {# visitor} other {# visitors}}':
    '{count, plural, one {# Besucher} other {# Besucher}}',
  '{count, number} redeemed': '{count, number} eingelöst',
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
  '{change}, {before} before': '{change}, davor {before}',
  'New share link': 'Neuer Teilen-Link',
  'A label, such as spring_newsletter, says where you share the link. Use lowercase letters, digits, - and _.':
    'Ein Label sagt, wo Sie den Link teilen, zum Beispiel spring_newsletter: Kleinbuchstaben, Ziffern, - und _.',
  'Create link': 'Link erstellen',
  'Use {mono}': '{mono} verwenden',
  'the share link': 'der Teilen-Link',
  'QR code of {link}': 'QR-Code von {link}',
  'Without a label': 'Ohne Label',
  'Counted as {label}': 'Gezählt als {label}',
  'QR code': 'QR-Code',
  'The link works only on this computer, because it leads to {host}. Before others can open it, the operator must set BASE_URL to a public URL.':
    'Der Link funktioniert nur auf diesem Computer, weil er zu {host} führt. Damit andere ihn öffnen können, muss der Betreiber BASE_URL auf eine öffentliche Adresse setzen.',
  'The link shows no offers while the listing is not live.':
    'Der Link zeigt nichts, solange der Eintrag nicht veröffentlicht ist.',
  // dashboard/claims
  'A signed-in person': 'Angemeldete Person',
  'The operator of this marketplace, or a person whose account was deleted':
    'Betreiber des Marktplatzes, oder eine Person, deren Konto gelöscht wurde',
  'An import by the operator of this marketplace': 'Import des Betreibers',
  'The operator has issued a new claim as a replacement. This claim stays redeemed.':
    'Der Betreiber hat als Ersatz einen neuen Gutschein ausgestellt. Dieser bleibt eingelöst.',
  'What happened': 'Verlauf',
  'Since this claim was created, your server has made more calls than can be searched. Only calls up to {time} were searched.':
    'Es wurden nur Aufrufe bis {time} durchsucht, weil Ihr Server seit diesem Gutschein sehr viele gesendet hat.',
  'The claim': 'Der Gutschein',
  given: 'vergeben',
  'Created by': 'Erstellt von',
  'Opened your page': 'Öffnete Ihre Seite',
  'Retried: the response was “redeemed” again': 'Wiederholt: Die Antwort war noch einmal „redeemed“',
  'Replaced by a new claim': 'Durch einen neuen Gutschein ersetzt',
  'Verified: valid': 'Geprüft: gültig',
  'Refused: already redeemed': 'Abgelehnt: bereits eingelöst',
  'Answered {outcome}': 'Beantwortet mit {outcome}',
  'With the label {mono}': 'Mit dem Label {mono}',
  'The call had the same Idempotency-Key as the redemption. The claim was not redeemed again.':
    'Der Aufruf hatte denselben Idempotency-Key wie die Einlösung. Der Gutschein wurde nicht noch einmal eingelöst.',
  'By the key “{name}” ({mono})': 'Mit dem Schlüssel „{name}“ ({mono})',
  'Request {mono}': 'Aufruf {mono}',
  Claimant: 'Person',
  Reference: 'Referenz',
  'Claim …{shortId}': 'Gutschein …{shortId}',
  'the claim ID': 'die ID des Gutscheins',
  none: 'keine',
  Offer: 'Angebot',
  Kind: 'Art',
  'No test claims yet. To create one, choose “Open with a test claim” on the page of an offer.':
    'Noch keine Test-Gutscheine. Um einen zu erzeugen, wählen Sie auf der Seite eines Angebots „Mit Test-Gutschein öffnen“.',
  'Its token will look like {mono}': 'Sein Token sieht so aus: {mono}',
  'None of your offers has been claimed yet. New claims appear here.':
    'Noch hat sich niemand eines Ihrer Angebote gesichert. Neue Gutscheine erscheinen hier.',
  'Claims on your offers appear here. Create a listing first.':
    'Hier erscheinen die Gutscheine Ihrer Angebote. Legen Sie zuerst einen Eintrag an.',
  'Share your listing': 'Eintrag teilen',
  'Find by token, code, ID, link or reference': 'Nach Token, Code, ID, Link oder Referenz suchen',
  'Matching claims': 'Passende Gutscheine',
  'No claims match.': 'Keine passenden Gutscheine.',
  '{count, plural, one {# claim} other {# claims}}':
    '{count, plural, one {# Gutschein} other {# Gutscheine}}',
  'for {name}': 'für {name}',
  'Listing (the first {count})': 'Eintrag (die ersten {count})',
  'All listings': 'Alle Einträge',
  'Any state': 'Alle Status',
  'More filters': 'Weitere Filter',
  'Any label': 'Alle Labels',
  'Label (the first {count})': 'Label (die ersten {count})',
  'An order number': 'Bestellnummer',
  'Claimed from': 'Gesichert ab',
  'Claimed until': 'Gesichert bis',
  'Redeemed from': 'Eingelöst ab',
  'Redeemed until': 'Eingelöst bis',
  'All offers': 'Alle Angebote',
  Claim: 'Gutschein',
  State: 'Status',
  'Enter a claim token, a code, an ID, a link or a reference.':
    'Geben Sie ein Gutschein-Token, einen Code, eine ID, einen Link oder eine Referenz ein.',
  'This code was given to a claim that was lost in a restore.':
    'Dieser Code wurde für einen Gutschein vergeben, der bei einer Wiederherstellung verloren ging.',
  'None of your claims has this token, code, ID, link or reference.':
    'Keiner Ihrer Gutscheine hat dieses Token, diesen Code, diese ID, diesen Link oder diese Referenz.',
  // dashboard
  Picture: 'Bild',
  Pictures: 'Bilder',
  'The operator reviews pictures with the listing.': 'Der Betreiber prüft Bilder zusammen mit dem Eintrag.',
  'No picture yet': 'Noch kein Bild',
  'Choose a picture first.': 'Wählen Sie zuerst ein Bild aus.',
  'The operator reviews new pictures. Until a new picture is approved, people see the previous one. You can remove a picture at any time.':
    'Der Betreiber prüft neue Bilder. Bis ein neues freigegeben ist, sieht man das bisherige. Entfernen können Sie ein Bild jederzeit.',
  'The terms have changed': 'Die AGB haben sich geändert',
  'Accept the terms': 'AGB akzeptieren',
  'You asked to publish': 'Sie haben um Veröffentlichung gebeten',
  'Publishing needs the operator’s approval': 'Zum Veröffentlichen braucht es die Zustimmung des Betreibers',
  'Ask to publish…': 'Um Veröffentlichung bitten …',
  'What you want to publish, and anything else the operator should know.':
    'Was Sie veröffentlichen möchten und was der Betreiber sonst wissen sollte.',
  'Ask to publish': 'Um Veröffentlichung bitten',
  'Asked on {time}. The answer from <operator>the operator of this marketplace</operator> will appear here.':
    'Angefragt am {time}. Die Antwort <operator>des Betreibers dieses Marktplatzes</operator> erscheint hier.',
  'You can’t create or submit listings yet. Your existing listings stay as they are.':
    'Sie können noch keine Einträge anlegen oder einreichen. Vorhandene Einträge bleiben, wie sie sind.',
  // dashboard/start
  'Your verification': 'Ihre Prüfung',
  'Claims and redemptions': 'Gutscheine und Einlösungen',
  'Latest claims': 'Neueste Gutscheine',
  '{count, plural, one {Open the claim} other {All # claims}}':
    '{count, plural, one {Gutschein öffnen} other {Alle # Gutscheine}}',
  'No API key is active': 'Kein API-Schlüssel ist aktiv',
  'Every call from your server is refused. Create a key and put it on your server.':
    'Jeder Aufruf Ihres Servers wird abgelehnt. Erstellen Sie einen Schlüssel und hinterlegen Sie ihn auf Ihrem Server.',
  'Every call from your server is refused, because your plan has no API keys.':
    'Jeder Aufruf Ihres Servers wird abgelehnt, weil Ihr Tarif keine API-Schlüssel hat.',
  'Go live: create a live key': 'Live gehen: Live-Schlüssel erstellen',
  'Create a live key': 'Live-Schlüssel erstellen',
  'You only have test keys. With a test key, your server gets {code} for real claims. Create a live key and put it on your server before you share your listing.':
    'Sie haben nur Test-Schlüssel. Mit einem Test-Schlüssel erhält Ihr Server für echte Gutscheine {code}. Ersetzen Sie ihn durch einen Live-Schlüssel, bevor Sie Ihren Eintrag teilen.',
  'Your server cannot verify claims yet': 'Ihr Server kann noch keine Gutscheine prüfen',
  'Add a code': 'Code hinzufügen',
  '{offer} has a redemption link but no code. To verify the tokens of its claims, your server needs an API key, but your plan has no API keys.':
    '{offer} hat einen Einlöselink, aber keinen Code. Um die Token zu prüfen, braucht man einen API-Schlüssel, den Ihr Tarif nicht hat.',
  'Codes are running out': 'Die Codes werden knapp',
  '{offer}: {codesLeft, plural, one {# code} other {# codes}} left.':
    '{offer}: noch {codesLeft, plural, one {# Code} other {# Codes}}.',
  'The offer is closed until you add codes.': 'Das Angebot ist geschlossen, bis Sie Codes hinzufügen.',
  'New claims get the shared code.': 'Neue Gutscheine erhalten den gemeinsamen Code.',
  'New website': 'Neue Website',
  'New redemption link': 'Neuer Einlöselink',
  'In review, sent back or suspended': 'In Prüfung, zurückgegeben oder gesperrt',
  What: 'Was',
  'No offer has been claimed yet. Share the URL of your listing.':
    'Noch hat sich niemand ein Angebot gesichert. Teilen Sie die Adresse Ihres Eintrags.',
  'Last {days} days, compared with the {days} days before':
    'Letzte {days} Tage, verglichen mit den {days} davor',
  'Four steps to your first verified claim.': 'Vier Schritte zum ersten geprüften Gutschein.',
  'Notes for people who work outdoors.': 'Notizen für alle, die draußen arbeiten.',
  'Each claim has a token that can be redeemed only once.':
    'Jeder Gutschein hat ein Token, das nur einmal eingelöst werden kann.',
  'The dashboard is where owners work. Create your first listing to become an owner.':
    'Hier arbeiten Anbieter. Sie werden einer, wenn Sie Ihren ersten Eintrag anlegen.',
  'Make an offer for your app, and verify each claim on your server.':
    'Machen Sie ein Angebot für Ihre App, und prüfen Sie jeden Gutschein auf Ihrem Server.',
  'How it works': 'So funktioniert es',
  'Go to your overview': 'Zum Überblick',
  '{name} is a draft. Submit it for review when it is ready.':
    '{name} ist ein Entwurf. Reichen Sie ihn zur Prüfung ein, wenn er fertig ist.',
  'Open the draft': 'Entwurf öffnen',
  '{name} is waiting for review. You can continue with the next steps.':
    '{name} wartet auf Prüfung. Sie können mit den nächsten Schritten weitermachen.',
  '{name} needs changes before it can be published.': '{name} braucht Änderungen vor der Veröffentlichung.',
  'See what to change': 'Änderungen ansehen',
  '{name} was rejected.': '{name} wurde abgelehnt.',
  '{name} is withdrawn. Submit it again to publish it.':
    '{name} ist zurückgezogen. Reichen Sie den Eintrag wieder ein, um ihn zu veröffentlichen.',
  'The operator suspended {name}.': '{name} ist vom Betreiber gesperrt.',
  'See why': 'Grund ansehen',
  '{name} is published.': '{name} ist veröffentlicht.',
  'A listing shows your app on the marketplace. The operator reviews it first.':
    'Ein Eintrag zeigt Ihre App auf dem Marktplatz. Der Betreiber prüft ihn zuerst.',
  'Set the redemption link': 'Einlöselink festlegen',
  'The redemption link is waiting for review, because it is not on your approved website.':
    'Der Einlöselink wartet auf Prüfung, weil sein Host nicht der freigegebene ist.',
  'The URL of a page on your site, with {code} in place of the claim token. Claimants are sent there with their token.':
    'Die Adresse einer Seite auf Ihrer Website mit {code} an der Stelle des Gutschein-Tokens. Dorthin werden Personen mit ihrem Token geleitet.',
  'Set the link': 'Link festlegen',
  'Your server sends the API key with every call. Keep the key on the server; never put it in a page or an app.':
    'Ihr Server sendet ihn bei jedem Aufruf. Bewahren Sie ihn auf dem Server auf, nie in einer Seite oder App.',
  'Your plan has no API keys. Your offers can use a shared code instead. With the {linkToPlans} plan, your server can also verify each token.':
    'Ihr Tarif hat keine API-Schlüssel. Für einen Eintrag genügt ein gemeinsamer Code; mit {linkToPlans} kann Ihr Server auch jedes Token prüfen.',
  'Create an API key': 'API-Schlüssel erstellen',
  'Verify a claim from your server': 'Gutschein von Ihrem Server aus prüfen',
  'When a claimant opens the link, your server checks whether the token is valid.':
    'Wenn jemand den Link öffnet, prüft Ihr Server, ob das Token gültig ist.',
  'Your first verification: {outcome, select, redeemed {redeemed} valid {valid} other {{outcome}}}':
    'Ihre erste Prüfung: {outcome, select, redeemed {eingelöst} valid {gültig} other {{outcome}}}',
  'Your first redemption': 'Ihre erste Einlösung',
  '{time}, answered in {latency}. Request ID: {code}': '{time}, beantwortet in {latency}. Aufruf {code}',
  'The claim is valid and not redeemed yet. To redeem it, send {code}. Apply the offer only if the response is {code2}.':
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
  'Replace {code} with your API key. Open your link with a test claim: the URL of the page contains the token in place of {code3}. Replace {code2} with this token. A test claim needs a test key. Use a new Idempotency-Key for each order. For 24 hours, a call with the same token and the same Idempotency-Key gets the same response.':
    'Ersetzen Sie {code} durch Ihren API-Schlüssel und {code2} durch das Token, das in der Adresse der geöffneten Seite an der Stelle von {code3} steht. Ein Test-Gutschein braucht einen Test-Schlüssel. Verwenden Sie für jede Bestellung einen neuen Idempotency-Key: 24 Stunden lang erhält dasselbe Token mit demselben Idempotency-Key dieselbe Antwort.',
  'A call arrived, but it verified no claim': 'Ein Aufruf kam an, hat aber keinen Gutschein geprüft',
  'token {code}': 'Token {code}',
  'key {keyName}': 'Schlüssel {keyName}',
  '{times} times': '{times}-mal',
  'The fixed test token {name} was verified, so your server can reach this service. The token belongs to no claim: open your link with a test claim and verify the token of that claim.':
    'Das feste Test-Token {name} wurde geprüft, Ihr Server erreicht diesen Dienst also. Es gehört zu keinem Gutschein: Öffnen Sie Ihren Link mit einem Test-Gutschein und prüfen Sie diesen.',
  // http
  'Only owners of {accountName} can open this page. You are a member.':
    'Nur Inhaber von {accountName} können diese Seite öffnen. Sie sind Mitglied.',
  'Ask an owner to do this for you, or to make you an owner.':
    'Bitten Sie einen Inhaber, das zu tun oder Sie zum Inhaber zu machen.',
  'Back to the dashboard': 'Zurück zum Dashboard',
  'For owners': 'Für Inhaber',
  'Your other pictures are still being uploaded. Try again in a minute.':
    'Ihre anderen Bilder werden noch hochgeladen. Versuchen Sie es in einer Minute noch einmal.',
  'The picture arrived too slowly while many others were being uploaded. Try again in a minute.':
    'Das Hochladen war zu langsam, während viele andere Bilder hochgeladen wurden. Versuchen Sie es in einer Minute noch einmal.',
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
  '{name}: {sum}, most ({peak}) in the week from {day}':
    '{name}: {sum}, die meisten ({peak}) in der Woche ab {day}',
  'Week from': 'Woche ab',
  'The chosen picture': 'Das gewählte Bild',
  '<strong>Test mode.</strong> Claims, API keys and requests are test data. Everything else is live.':
    '<strong>Testmodus.</strong> Gutscheine, API-Schlüssel und Aufrufe sind Testdaten. Alles andere ist live.',
  'Leave test mode': 'Testmodus verlassen',
  To: 'Bis',
  'Current {name}': 'Aktuell: {name}',
  'No picture is live': 'Kein Bild ist live',
  'New {name}': 'Neues {name}',
  'The operator declined the new picture: {q}': 'Der Betreiber hat das neue Bild abgelehnt: {q}',
  'This picture is hard to see in the dark theme, so it is shown on a light background there.':
    'Im dunklen Farbschema ist dieses Bild kaum zu erkennen. Dort wird es auf hellem Hintergrund gezeigt.',
  'This picture is hard to see in the light theme, so it is shown on a dark background there.':
    'Im hellen Farbschema ist dieses Bild kaum zu erkennen. Dort wird es auf dunklem Hintergrund gezeigt.',
  'Upload {name}': 'Hochladen: {name}',
  Upload: 'Hochladen',
  'Withdraw new picture: {name}': 'Neues zurückziehen: {name}',
  'Withdraw new picture': 'Neues zurückziehen',
  'Remove {name}': 'Entfernen: {name}',
  'The search was not run': 'Es wurde nichts gesucht',
  'Back to the newest': 'Zurück zu den neuesten',
  'Clear the filters': 'Filter leeren',
  'No match so far': 'Bisher nichts gefunden',
  'There may be more': 'Es kann noch mehr geben',
  'Look further back': 'Weiter zurück suchen',
  'Everything since {time} was searched.': 'Alles seit {time} wurde durchsucht.',
  '{amount}, newest first': '{amount}, neueste zuerst',
  'The last {amount} of the list, newest first': 'Die ältesten {amount}, neueste zuerst',
  'The newest {count, number} of {amount}': '{amount}, hier die neuesten {count, number}',
  'The next {count, number} of {amount}': '{amount}, hier weitere {count, number}',
  'The newest {amount}': 'Die neuesten {amount}',
  'The next {amount}': 'Weitere {amount}',
  '{change} from {before}': '{change}, davor {before}',
  '{change} points from {before}': '{change} Punkte, davor {before}',
  'Other labels': 'Andere Labels',
  'A listing can have at most {most, number} labels. Reuse an existing one.':
    'Ein Eintrag kann höchstens {most, number} Labels haben. Verwenden Sie ein vorhandenes.',
  'Only {max} keys are shown: active keys, then the newest. The command line lists all: {command}':
    'Es werden nur {max} Schlüssel gezeigt: die aktiven, dann die neuesten. Die Kommandozeile zeigt alle: {command}',
};
