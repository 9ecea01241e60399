/** Texts for owners about listings and offers. */
export const OFFERS: Readonly<Record<string, string>> = {
  // dashboard/listings
  'Your apps on the marketplace, and those you are preparing.':
    'Ihre Apps auf dem Marktplatz und in Vorbereitung.',
  'The counts include all live claims so far.': 'Gezählt sind alle Live-Gutscheine bis jetzt.',
  'Your listings': 'Ihre Einträge',
  'A listing is your app on the marketplace, with the offers that people claim there.':
    'Ein Eintrag ist Ihre App auf dem Marktplatz mit den Angeboten, die man sich dort sichert.',
  Fieldnotes: 'Feldnotizen',
  'New listing': 'Neuer Eintrag',
  Rate: 'Quote',
  'The website of the app. Once the listing is approved, a new redemption link to this site goes live immediately; links to other sites are reviewed first.':
    'Die Website der App. Nach der Freigabe sind Links zu dieser Website sofort live; Links zu anderen Websites werden geprüft.',
  'The draft isn’t public. Next, you add its offers and submit it for review.':
    'Der Entwurf ist nicht öffentlich. Als Nächstes legen Sie seine Angebote an und reichen ihn zur Prüfung ein.',
  'Create draft': 'Entwurf anlegen',
  'As people will see it': 'So wird es aussehen',
  'Withdraw {name}?': '{name} zurückziehen?',
  'Withdraw listing': 'Eintrag zurückziehen',
  'The listing leaves the marketplace and takes no new claims. Existing claims stay redeemable. If you submit the listing again, the operator reviews it again.':
    'Er verlässt den Marktplatz und nimmt keine neuen Gutscheine an. Vorhandene Gutscheine bleiben einlösbar. Wenn Sie ihn wieder einreichen, wird er erneut geprüft.',
  'Submit for review': 'Zur Prüfung einreichen',
  'Delete {name}?': '{name} löschen?',
  'Delete listing': 'Eintrag löschen',
  'Delete listing…': 'Eintrag löschen …',
  'This deletes the listing and its offers, which were never public. This can’t be undone.':
    'Der Eintrag und seine Angebote, die nie öffentlich waren, werden gelöscht. Das lässt sich nicht rückgängig machen.',
  'Save listing': 'Eintrag speichern',
  'Links to {code} go live immediately; links to other sites are reviewed. If you change the website, the new website is reviewed too. The current website stays live until the new website is approved.':
    'Links zu {code} sind sofort live; Links zu anderen Websites werden geprüft. Ändern Sie die Website, wird auch sie geprüft, und bis zur Freigabe bleibt die bisherige live.',
  Submitted: 'Eingereicht',
  Decided: 'Entschieden',
  'Approved site': 'Freigegebene Website',
  'The name has too few letters from a to z for a public address. Enter an address here.':
    'Der Name hat zu wenige Buchstaben von a bis z, um daraus eine öffentliche Adresse abzuleiten. Geben Sie hier eine ein.',
  'The name of the app, as people know it.': 'Der Name der App, wie man sie kennt.',
  'Can’t be changed after the first approval, because share links contain it.':
    'Steht seit der ersten Freigabe fest, weil Teilen-Links sie enthalten.',
  'Lowercase letters, digits and hyphens. If you leave the field empty, the address is derived from the name. The address can’t be changed after the first approval, because share links contain it.':
    'Kleinbuchstaben, Ziffern und Bindestriche. Ohne Angabe wird sie aus dem Namen gebildet. Nach der ersten Freigabe steht sie fest, weil Teilen-Links sie enthalten.',
  'One line that says what the app is.': 'Eine Zeile, die sagt, was die App ist.',
  'Where people find the app on the front page.': 'Wo man sie auf der Startseite findet.',
  'Plain text. Blank lines separate paragraphs.': 'Einfacher Text. Leerzeilen trennen Absätze.',
  'Preview without saving': 'Vorschau ohne Speichern',
  'Submit again': 'Erneut einreichen',
  Details: 'Einzelheiten',
  'Public page': 'Öffentliche Seite',
  'New offer': 'Neues Angebot',
  'the URL of the listing': 'die Adresse des Eintrags',
  None: 'Keine',
  Created: 'Erstellt',
  'Name of the app': 'Name der App',
  'The operator declined {proposedUrl}': 'Der Betreiber hat {proposedUrl} abgelehnt',
  'The operator declined the new redemption link of “{offer}”':
    'Der Betreiber hat den neuen Einlöselink von „{offer}“ abgelehnt',
  'The operator declined your changed texts': 'Der Betreiber hat Ihre geänderten Texte abgelehnt',
  'The forms still contain your texts. People see the approved ones; a new offer stays hidden until it is approved.':
    'Die Formulare enthalten weiterhin Ihre Texte. Zu sehen sind die freigegebenen; ein neues Angebot bleibt bis zur Freigabe verborgen.',
  'People see the live version until the operator has decided.':
    'Bis der Betreiber entschieden hat, ist die Live-Version zu sehen.',
  'Discard changed texts': 'Geänderte Texte verwerfen',
  'See the changes': 'Änderungen ansehen',
  'The operator declined this offer': 'Der Betreiber hat dieses Angebot abgelehnt',
  'This offer is waiting for review': 'Dieses Angebot wartet auf die Prüfung',
  'People see it, and can claim it, once the operator has approved it.':
    'Man sieht es und kann es sich sichern, sobald der Betreiber es freigegeben hat.',
  'Your changes are waiting for review': 'Ihre Änderungen warten auf die Prüfung',
  'The form contains your changes. People see the live version until the operator has approved them.':
    'Das Formular enthält Ihre Änderungen. Bis zur Freigabe durch den Betreiber ist die Live-Version zu sehen.',
  'Changed texts': 'Geänderte Texte',
  'Keep the live version': 'Live-Version behalten',
  'Still live: {code}': 'Weiterhin live: {code}',
  'This draft isn’t public yet': 'Dieser Entwurf ist noch nicht öffentlich',
  'Submit it for review when it is ready.': 'Reichen Sie ihn zur Prüfung ein, wenn er fertig ist.',
  'The operator will review the listing. Until then, you can edit it and <a>try your link</a>.':
    'Der Betreiber prüft ihn. Bis dahin können Sie ihn bearbeiten und <a>Ihren Link ausprobieren</a>.',
  'The operator asked for changes': 'Der Betreiber bittet um Änderungen',
  'Make the changes below, then <a>submit the listing again</a>.':
    'Nehmen Sie unten die Änderungen vor und <a>reichen Sie den Eintrag dann erneut ein</a>.',
  'The operator rejected this listing': 'Der Betreiber hat diesen Eintrag abgelehnt',
  'It cannot be changed or submitted again.': 'Er kann nicht geändert oder wieder eingereicht werden.',
  'You withdrew this listing': 'Sie haben diesen Eintrag zurückgezogen',
  'It takes no new claims. Existing claims stay redeemable. To bring the listing back, submit it again.':
    'Er nimmt keine neuen Gutscheine an. Reichen Sie ihn wieder ein, um ihn zurückzuholen; vorhandene Gutscheine bleiben einlösbar.',
  'The operator suspended this listing': 'Der Betreiber hat diesen Eintrag gesperrt',
  'It takes no new claims. Existing claims stay redeemable.':
    'Er nimmt keine neuen Gutscheine an. Vorhandene Gutscheine bleiben einlösbar.',
  'Review it at the desk': 'Am Desk prüfen',
  'Add an offer, then submit the listing for review.':
    'Fügen Sie ein Angebot hinzu und reichen Sie den Eintrag dann zur Prüfung ein.',
  'Submitted {time}.': 'Eingereicht: {time}.',
  'Reply to the operator': 'Antwort an den Betreiber',
  'Save and submit': 'Speichern und einreichen',
  'Live now and in review': 'Jetzt live und in Prüfung',
  'Changed since it was live': 'Geändert, seit er live war',
  'Was live': 'War live',
  'After approval': 'Nach der Freigabe',
  'Live now': 'Jetzt live',
  'In review': 'In Prüfung',
  'Offers of {name}': 'Angebote von {name}',
  'Opens on {time}': 'Öffnet am {time}',
  Gives: 'Einlösung',
  Ends: 'Endet',
  'Link to {breakable}': 'Link zu {breakable}',
  code: 'Code',
  '{codesLeft, plural, one {# code} other {# codes}} left':
    'Noch {codesLeft, plural, one {# Code} other {# Codes}}',
  ', add some': ', bitte ergänzen',
  'An offer is what people claim: a discount, a trial or a gift.':
    'Ein Angebot ist, was man sich sichert: ein Rabatt, eine Testphase, ein Geschenk.',
  'Add an offer': 'Angebot hinzufügen',
  'no end': 'unbefristet',
  never: 'nie',
  'only by a browser': 'nur von einem Browser',
  'There is already a listing with the address “{slug}”. Choose a different address.':
    'Es gibt bereits einen Eintrag mit der Adresse „{slug}“. Wählen Sie eine andere.',
  // dashboard/offers
  'Each claim gets the next code in the list. Only the claimant sees the code.':
    'Jeder Gutschein erhält den nächsten Code der Liste. Nur wer ihn gesichert hat, sieht ihn.',
  '{count, plural, one {# line} other {# lines}} left out:':
    '{count, plural, one {# Zeile} other {# Zeilen}} ausgelassen:',
  'Line {line}: {reason}': 'Zeile {line}: {reason}',
  'The offer has no code list': 'Das Angebot hat keine Codeliste',
  'To give each claim its own code, <a>choose a code list for the offer</a>.':
    'Um jedem Gutschein einen eigenen Code zu geben, <a>wählen Sie eine Codeliste für das Angebot</a>.',
  'The code list is empty': 'Die Codeliste ist leer',
  'The offer takes claims once you add codes.':
    'Das Angebot nimmt Gutscheine an, sobald Sie Codes hinzufügen.',
  'New claims get the shared code until you add codes.':
    'Neue Gutscheine erhalten den gemeinsamen Code, bis Sie Codes hinzufügen.',
  '{left, plural, one {# code} other {# codes}} left': 'Noch {left, plural, one {# Code} other {# Codes}}',
  'The offer closes after the last code.': 'Das Angebot schließt nach dem letzten.',
  'After the last code, claims get the shared code.':
    'Nach dem letzten erhalten Gutscheine den gemeinsamen Code.',
  'One per line, at most {maxCodesOfCall} at a time. Codes already in the list are left out.':
    'Einer pro Zeile, höchstens {maxCodesOfCall} auf einmal. Codes, die schon in der Liste sind, werden ausgelassen.',
  'Or choose a file': 'Oder Datei auswählen',
  'In the list': 'In der Liste',
  Left: 'Übrig',
  'Given to claims': 'An Gutscheine vergeben',
  Withheld: 'Zurückgehalten',
  'The service was restored from a backup. Some of the withheld codes may have been given to claims that were lost in the restore. The codes stay withheld until the operator releases them. Until then, you can still withdraw them.':
    'Der Dienst wurde aus einer Sicherung wiederhergestellt. Codes werden zurückgehalten, bis der Betreiber sie freigibt, weil verlorene Gutscheine einige davon erhalten haben können. Sie können sie vorher zurückziehen.',
  'Withdraw codes…': 'Codes zurückziehen …',
  'Withdraw the remaining codes of “{offer}”?': 'Die restlichen Codes von „{offer}“ zurückziehen?',
  'Withdraw {ungiven, plural, one {# code} other {# codes}}':
    '{ungiven, plural, one {# Code} other {# Codes}} zurückziehen',
  'They are deleted and can no longer be given to claims. Codes already given stay with their claims.':
    'Sie werden gelöscht, und kein Gutschein erhält sie. Bereits vergebene Codes bleiben bei ihren Gutscheinen.',
  Codes: 'Codes',
  'Sending {sent} of {total} lines…': '{sent} von {total} Zeilen werden gesendet …',
  'Codes added: {added}': 'Codes hinzugefügt: {added}',
  'First codes:': 'Die ersten Codes:',
  'Add {count, plural, one {# code} other {# codes}}':
    '{count, plural, one {# Code} other {# Codes}} hinzufügen',
  '{count} lines ({lines}): {reason}': '{count} Zeilen ({lines}): {reason}',
  'Check the codes before they are added': 'Prüfen Sie die Codes, bevor sie hinzugefügt werden',
  '{count} codes, for example {examples}. Add them?': '{count} Codes, zum Beispiel {examples}. Hinzufügen?',
  'Add the first line too': 'Die erste Zeile auch hinzufügen',
  'CSV or text, up to {maxCodesOfOffer} codes. If there are several columns, the codes are read from the column “code”.':
    'CSV oder Text, bis zu {maxCodesOfOffer} Codes. Bei mehreren Spalten werden die Codes aus der Spalte „code“ gelesen.',
  'The lines have {columns} columns. The codes are read from the first.':
    'Die Zeilen haben {columns} Spalten. Die Codes werden aus der ersten gelesen.',
  'The lines have {columns} columns. The codes are read from “{heading}”.':
    'Die Zeilen haben {columns} Spalten. Die Codes werden aus „{heading}“ gelesen.',
  'The first line, “{heading}”, looks like a heading and is skipped.':
    'Die erste Zeile, „{heading}“, sieht aus wie eine Überschrift und wird übersprungen.',
  'The first line doesn’t look like a heading, so it is read as a code.':
    'Die erste Zeile sieht nicht aus wie eine Überschrift und wird deshalb als Code gelesen.',
  'This line has different columns than the first line.': 'Diese Zeile hat andere Spalten als die erste.',
  'Some codes have fewer digits than the others. Spreadsheets remove zeros at the start: format the column as text before you enter or import the codes, and save the file again.':
    'Einige Codes haben weniger Ziffern als die anderen. Tabellenprogramme entfernen Nullen am Anfang: Formatieren Sie die Spalte als Text, bevor Sie die Codes eingeben oder importieren, und speichern Sie die Datei erneut.',
  'All codes end with 0. Spreadsheets round long numbers: format the column as text before you enter or import the codes, and save the file again.':
    'Alle Codes enden auf 0. Tabellenprogramme runden lange Zahlen: Formatieren Sie die Spalte als Text, bevor Sie die Codes eingeben oder importieren, und speichern Sie die Datei erneut.',
  'A spreadsheet has changed this code. Format the column as text before you enter or import the codes, and save the file again.':
    'Ein Tabellenprogramm hat diesen Code verändert. Formatieren Sie die Spalte als Text, bevor Sie die Codes eingeben oder importieren, und speichern Sie die Datei erneut.',
  'Lines left out: {left}': 'Zeilen ausgelassen: {left}',
  'Sending stopped at line {line}: {reason}': 'Das Senden wurde in Zeile {line} abgebrochen: {reason}',
  'Sending failed. Reload the page and send the same codes again.':
    'Das Senden ist fehlgeschlagen. Laden Sie die Seite neu und senden Sie dieselben Codes noch einmal.',
  'No response. Send the same codes again: those already added are left out.':
    'Keine Antwort. Senden Sie dieselben Codes noch einmal: Bereits hinzugefügte werden ausgelassen.',
  'No list': 'Keine Liste',
  'A list; when it runs out, the offer closes': 'Eine Liste; ist sie leer, schließt das Angebot',
  'A list; when it runs out, people get the shared code': 'Eine Liste; ist sie leer, der gemeinsame Code',
  'A lower price, for a limited time or permanently.': 'Ein niedrigerer Preis, befristet oder dauerhaft.',
  'A longer or larger trial than usual.': 'Eine längere oder umfangreichere Testphase als üblich.',
  'Something to spend in the app.': 'Guthaben zum Ausgeben in der App.',
  'Something on top of what people buy.': 'Etwas zusätzlich zum Kauf.',
  'Access that others don’t have, or don’t have yet.': 'Zugang, den andere nicht oder noch nicht haben.',
  'Free, without buying anything.': 'Gratis, ohne etwas zu kaufen.',
  'Check without saving': 'Prüfen ohne Speichern',
  'The offer as people will read it, such as “20% off the first year”.':
    'Wie man es lesen wird, zum Beispiel „20 % Rabatt im ersten Jahr“.',
  'A page on the app’s site, with {code} where the claim token goes: {code2}.':
    'Eine Seite auf der Website der App mit {code} an der Stelle des Gutschein-Tokens: {code2}.',
  'Your plan has no API keys, so your server can’t verify tokens: use a shared code or a code list instead.':
    'Ihr Tarif hat keine API-Schlüssel, Ihr Server kann also keine Token prüfen: Verwenden Sie stattdessen einen gemeinsamen Code oder eine Codeliste.',
  'With a link': 'Mit einem Link',
  'With a code': 'Mit einem Code',
  'Test link for development': 'Test-Link für die Entwicklung',
  'Only test claims use this link. Claimants never see it, and it is not reviewed. It may be a local address such as {code}.':
    'Er öffnet sich nur mit Test-Gutscheinen und wird nicht geprüft; Kunden sehen ihn nie. Eine lokale Adresse genügt: {code}.',
  'How people get it': 'Wie man es einlöst',
  'Fill in at least one of these: a redemption link, a shared code or a code list.':
    'Geben Sie mindestens eines an: einen Einlöselink, einen gemeinsamen Code oder eine Codeliste.',
  'When people can claim it': 'Wann man es sich sichern kann',
  'The same for everyone. People enter it at checkout.': 'Für alle gleich. Man gibt ihn an der Kasse ein.',
  'Each claim gets its own code, and only the claimant sees the code. You add the codes after you save the offer.':
    'Jeder Gutschein erhält einen eigenen Code aus einer Liste, die nach dem Speichern dazukommt. Nur wer ihn gesichert hat, sieht ihn.',
  'The page where people enter the code. Default: the website of the app.':
    'Die Seite, auf der man den Code eingibt. Standard: die Website der App.',
  'Who can claim the offer, and how to use it. Shown before people claim.':
    'Wer sich das Angebot sichern kann und wie man es nutzt. Wird vor dem Sichern angezeigt.',
  'The offer ends after this many claims. Existing claims stay redeemable.':
    'Das Angebot endet nach so vielen Gutscheinen. Vorhandene Gutscheine bleiben einlösbar.',
  '{zone}, or in UTC with a Z at the end': '{zone}, oder mit Z in UTC',
  'A day such as 2026-11-20, or a time such as 2026-11-20T10:00, in {zones}.':
    'Ein Tag wie 2026-11-20 oder ein Zeitpunkt wie 2026-11-20T10:00, in {zones}.',
  'In {zone}. Before this time, people see the offer with this date but can’t claim it. Leave the field empty to open the offer immediately.':
    'In {zone}. Vorher sieht man das Angebot mit diesem Datum, kann es sich aber nicht sichern. Ohne Angabe ist es sofort offen.',
  'The offer is open until the end of this day in {zone}.':
    'Das Angebot ist bis zum Ende dieses Tages in {zone} offen.',
  'The offer is open until this time in {zone}.': 'Das Angebot ist bis zu diesem Zeitpunkt in {zone} offen.',
  'Enter a link to see where it leads.': 'Geben Sie einen Link ein, um zu sehen, wohin er führt.',
  'This link won’t work': 'Dieser Link funktioniert nicht',
  'The link looks right': 'Der Link ist richtig aufgebaut',
  'The link looks right, but check this': 'Der Link ist richtig aufgebaut, aber prüfen Sie dies',
  'This link is waiting for review.': 'Dieser Link wartet auf Prüfung.',
  Parameter: 'Parameter',
  'Final link': 'Endgültiger Link',
  'After saving': 'Nach dem Speichern',
  'It becomes the offer’s link without a review.': 'Er wird ohne Prüfung zum Link des Angebots.',
  'This is the offer’s current link.': 'Das ist der aktuelle Link des Angebots.',
  'The operator declined this link.': 'Der Betreiber hat diesen Link abgelehnt.',
  'It will be reviewed with the listing.': 'Er wird mit dem Eintrag geprüft.',
  'It goes live as soon as you save.': 'Er ist live, sobald Sie speichern.',
  'It will be reviewed before it goes live, because it doesn’t lead to the approved site {pinned}.':
    'Er wartet zuerst auf Prüfung, weil er zu einer anderen Website führt als zur freigegebenen {pinned}.',
  'It will be reviewed, because it doesn’t lead to the approved site {pinned}. Until it is approved, the current link stays live.':
    'Er wartet auf Prüfung, weil er zu einer anderen Website führt als zur freigegebenen {pinned}. Bis zur Freigabe bleibt der aktuelle Link live.',
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
  'If you changed the live link, existing claims now use the new link too.':
    'Wenn Sie den Live-Link geändert haben, nutzen jetzt auch vorhandene Gutscheine den neuen.',
  'The operator declined {proposedLink}': 'Der Betreiber hat {proposedLink} abgelehnt',
  'Submit {name} for review': '{name} zur Prüfung einreichen',
  'Add another offer': 'Weiteres Angebot hinzufügen',
  'People see the offer once the operator has approved the listing.':
    'Man sieht das Angebot, sobald der Betreiber den Eintrag freigegeben hat.',
  '<a>{name}</a> is a draft. The offer opens when the operator approves the listing.':
    '<a>{name}</a> ist noch ein Entwurf. Das Angebot beginnt, sobald der Betreiber den Eintrag freigibt.',
  '<a>{name}</a> is waiting for review. The offer opens when the operator approves the listing.':
    '<a>{name}</a> wartet auf Prüfung. Das Angebot beginnt, sobald der Betreiber den Eintrag freigibt.',
  '<a>{name}</a> needs changes. The offer opens when the operator approves the listing.':
    'Für <a>{name}</a> sind Änderungen erbeten. Das Angebot beginnt, sobald der Betreiber den Eintrag freigibt.',
  '<a>{name}</a> is withdrawn. The offer opens again when the operator approves the listing again.':
    '<a>{name}</a> ist zurückgezogen. Das Angebot beginnt wieder, sobald der Betreiber den Eintrag erneut freigibt.',
  'Not open now': 'Derzeit nicht offen',
  '<a>{name}</a> is suspended. The offer takes no new claims until the suspension ends.':
    '<a>{name}</a> ist gesperrt. Das Angebot nimmt keine neuen Gutscheine an, bis die Sperre endet.',
  '<a>{name}</a> was rejected. The offer takes no claims.':
    '<a>{name}</a> wurde abgelehnt. Das Angebot nimmt keine Gutscheine an.',
  'The offer takes no new claims until you resume it. Existing claims stay redeemable.':
    'Es nimmt keine neuen Gutscheine an, bis Sie es fortsetzen. Vorhandene Gutscheine bleiben einlösbar.',
  'The offer opens on {time}. Until then, people see the offer and this date, but not the code or the link, and can’t claim the offer.':
    'Es beginnt am {time}. Bis dahin sieht man es mit diesem Datum, ohne Code und Link, und kann es sich nicht sichern.',
  'The offer ended on {time}. Choose a later end to take claims again.':
    'Es endete am {time}. Wählen Sie ein späteres Ende, um wieder Gutscheine anzunehmen.',
  'The offer has reached its claim limit. Raise the limit to take more claims.':
    'Es hat sein Limit erreicht. Erhöhen Sie das Limit, um weitere Gutscheine anzunehmen.',
  'A new redemption link is waiting for review': 'Ein neuer Einlöselink wartet auf Prüfung',
  'Withdraw the new link': 'Neuen Link zurückziehen',
  'no link': 'kein Link',
  'Try it': 'Ausprobieren',
  'To open a link here with a test claim, add a redemption link or a test link.':
    'Fügen Sie einen Einlöselink oder Test-Link hinzu, um ihn hier mit einem Test-Gutschein zu öffnen.',
  'Once the link is live, you can open it here with a test claim. If you add a test link, you can open the test link now.':
    'Sie können den Link hier mit einem Test-Gutschein öffnen, sobald er live ist. Wenn Sie einen Test-Link hinzufügen, können Sie diesen sofort öffnen.',
  'Opens your {link, select, test {test} other {live}} link with the token of a test claim, as a claimant’s browser would. The claim is not counted; you’ll find it under Claims in test mode.':
    'Öffnet Ihren {link, select, test {Test} other {Live}}-Link mit dem Token eines Test-Gutscheins, wie es ein Browser täte. Der Gutschein zählt nicht; Sie finden ihn im Testmodus unter Gutscheine.',
  'Your page verifies the claim with a <a>test key</a>. Once the claim is redeemed, the button opens the link with a new claim. The <a2>link check</a2> also shows what your page does with the token.':
    'Ihre Seite prüft den Gutschein mit einem <a>Test-Schlüssel</a>. Ist er eingelöst, öffnet der Knopf den Link mit einem neuen Gutschein. Die <a2>Link-Prüfung</a2> zeigt auch, was Ihre Seite mit dem Token macht.',
  '{left, number} left, {given, number} given': '{left, number} übrig, {given, number} vergeben',
  'Live link': 'Live-Link',
  'Offer ID': 'Angebots-ID',
  'Show claims': 'Gutscheine anzeigen',
  'Open with a test claim': 'Mit Test-Gutschein öffnen',
  'Opens on': 'Öffnet am',
  'Choose an icon and a cover picture': 'Icon und Titelbild auswählen',
  'Codes for {offer}': 'Codes von {offer}',
  '{added, plural, one {# code} other {# codes}} added':
    '{added, plural, one {# Code} other {# Codes}} hinzugefügt',
  'The list already has {repeated, plural, one {this code} other {all of these # codes}}':
    'Die Liste enthält {repeated, plural, one {diesen Code} other {alle # Codes}} bereits',
  'The list already has all of these codes: {repeated}':
    'Die Liste enthält alle diese Codes bereits: {repeated}',
  'The list has no codes left to withdraw': 'Die Liste enthält keine Codes mehr, die man zurückziehen könnte',
  'The file is not UTF-8. It was read as Windows-1252.':
    'Die Datei ist kein UTF-8. Sie wurde als Windows-1252 gelesen.',
  'The file is not UTF-8. It was read as Windows-1252: check the letters of codes such as “{code}”.':
    'Die Datei ist kein UTF-8. Sie wurde als Windows-1252 gelesen: Prüfen Sie die Buchstaben von Codes wie „{code}“.',
  '{withdrawn, plural, one {# code} other {# codes}} withdrawn':
    '{withdrawn, plural, one {# Code} other {# Codes}} zurückgezogen',
  'Most new claims have the same origin': 'Die meisten neuen Gutscheine haben dieselbe Herkunft',
  'Pause offer': 'Angebot pausieren',
  '{share} of the claims of the last 24 hours come from one network. That can be an event or an office, or one person with many accounts. While the offer is paused, nobody can claim it; existing claims stay redeemable.':
    '{share} der Gutscheine der letzten 24 Stunden kommen aus einem Netz. Das kann eine Veranstaltung oder ein Büro sein oder eine Person mit vielen Konten. Solange das Angebot pausiert ist, kann es sich niemand sichern; vorhandene Gutscheine bleiben einlösbar.',
  '{share} of the claims of the last 24 hours were made with addresses at {domain}. That can be one company, or one person with many accounts. While the offer is paused, nobody can claim it; existing claims stay redeemable.':
    '{share} der Gutscheine der letzten 24 Stunden wurden mit Adressen bei {domain} gesichert. Das kann eine Firma sein oder eine Person mit vielen Konten. Solange das Angebot pausiert ist, kann es sich niemand sichern; vorhandene Gutscheine bleiben einlösbar.',
  '{share} ({claims, plural, one {# claim} other {# claims}})':
    '{share} ({claims, plural, one {# Gutschein} other {# Gutscheine}})',
  'Origin of new claims': 'Herkunft neuer Gutscheine',
  'Network {name}': 'Netz {name}',
  'Mail domains and networks with at least five claims in the last 24 hours. Network addresses are not stored.':
    'Mail-Domains und Netze mit mindestens fünf Gutscheinen in den letzten 24 Stunden. Netzadressen werden nicht gespeichert.',
  'Mail domains with at least five claims in the last 24 hours.':
    'Mail-Domains mit mindestens fünf Gutscheinen in den letzten 24 Stunden.',
  'The lines before “{heading}” are skipped.': 'Die Zeilen vor „{heading}“ werden übersprungen.',
  'Some codes, such as “{code}”, look like numbers or dates. Spreadsheets change codes such as 1E5 or 1-2: format the column as text before you enter or import the codes, and save the file again.':
    'Einige Codes wie „{code}“ sehen aus wie Zahlen oder Datumsangaben. Tabellenprogramme verändern Codes wie 1E5 oder 1-2: Formatieren Sie die Spalte als Text, bevor Sie die Codes eingeben oder importieren, und speichern Sie die Datei erneut.',
  'The last line, “{code}”, differs from the other codes.':
    'Die letzte Zeile, „{code}“, unterscheidet sich von den anderen Codes.',
};
