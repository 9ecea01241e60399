/** Messages about invalid input from owners. */
export const REFUSALS: Readonly<Record<string, string>> = {
  // accounts
  'The message': 'Die Nachricht',
  'The {name} plan is not offered.': 'Der Tarif {name} wird nicht angeboten.',
  'Your account has {own} downloads in progress. Start the next one when one of them has finished.':
    'Für Ihr Konto laufen gerade {own} Downloads. Starten Sie den nächsten, wenn einer davon fertig ist.',
  'Your account has {own} link checks in progress. Start the next one when one of them has finished.':
    'Für Ihr Konto laufen gerade {own} Link-Prüfungen. Starten Sie die nächste, wenn eine davon fertig ist.',
  'The text': 'Der Text',
  'Too many downloads are in progress. Try again in a few seconds.':
    'Gerade laufen zu viele Downloads. Versuchen Sie es in einigen Sekunden erneut.',
  'You can ask again a day after the last answer. Until then, contact <operator>the operator of this marketplace</operator>.':
    'Sie können einen Tag nach der letzten Antwort wieder anfragen. Wenden Sie sich bis dahin an <operator>den Betreiber dieses Marktplatzes</operator>.',
  'You are already on the {name} plan.': 'Sie haben den Tarif {name} bereits.',
  'This account is already allowed to publish.': 'Dieses Konto darf bereits veröffentlichen.',
  'The operator has declined this name. Propose another one.':
    'Der Betreiber hat diesen Namen abgelehnt. Schlagen Sie einen anderen vor.',
  'You have already asked. You’ll get an email with the answer.':
    'Sie haben bereits angefragt. Die Antwort kommt per E-Mail.',
  'The terms must be accepted first. You can accept them on your dashboard.':
    'Zuerst müssen auf Ihrem Dashboard die AGB akzeptiert werden.',
  // claims
  'The state must be "redeemed" or "not_redeemed"; found {text}.':
    'Der Status muss "redeemed" oder "not_redeemed" sein; gefunden: {text}.',
  'Claims that are not redeemed have no time of redemption. Remove one of the filters.':
    'Gutscheine, die nicht eingelöst sind, haben keinen Zeitpunkt der Einlösung. Entfernen Sie einen der Filter.',
  'The id of an offer is a UUID; found {text}.': 'Die ID eines Angebots ist eine UUID; gefunden: {text}.',
  'This looks like a claim token. URLs are logged, so don’t put a token in one.':
    'Das sieht nach einem Gutschein-Token aus. Adressen werden protokolliert, schreiben Sie also kein Token hinein.',
  'Enter a day such as 2026-11-20': 'Ein Tag wird wie 2026-11-20 geschrieben',
  'The request had no API key.': 'Der Aufruf hatte keinen API-Schlüssel.',
  'Its token is malformed, so the result would be not_found again.':
    'Kein Gutschein kann dieses Token haben, das Ergebnis wäre also wieder not_found.',
  'It was refused before its token was looked up.':
    'Er wurde abgelehnt, bevor sein Token nachgeschlagen wurde.',
  // listings
  'There is already a listing with the slug {slug}.':
    'Es gibt bereits einen Eintrag mit der öffentlichen Adresse {slug}.',
  'An account can have at most {most} listings.': 'Ein Konto hat höchstens {most} Einträge.',
  'The plan of this account allows at most {most, plural, one {# listing} other {# listings}}.':
    'Der Tarif dieses Kontos erlaubt höchstens {most, plural, one {# Eintrag} other {# Einträge}}.',
  'The listing has no offer yet. Add one before you submit it.':
    'Der Eintrag hat noch kein Angebot. Fügen Sie eines hinzu, bevor Sie ihn einreichen.',
  'The public address (slug) cannot be changed after the first approval, because share links contain it.':
    'Die öffentliche Adresse kann nach der ersten Freigabe nicht geändert werden: Teilen-Links enthalten sie.',
  'A listing can be deleted only if it was never live and is neither in review nor rejected. To take a live listing off the marketplace, withdraw it.':
    'Nur ein Eintrag, der nie veröffentlicht war und weder geprüft wird noch abgelehnt ist, kann gelöscht werden. Ist er veröffentlicht, ziehen Sie ihn zurück.',
  'The listing cannot be deleted, because its offers have claims (test claims count too).':
    'Die Angebote des Eintrags haben Gutscheine (auch Test-Gutscheine zählen), deshalb kann er nicht gelöscht werden.',
  'A rejected listing cannot be edited. Create a new one.':
    'Ein abgelehnter Eintrag kann nicht bearbeitet werden. Legen Sie einen neuen an.',
  'The public address (slug) has {count, plural, one {# character} other {# characters}}; it must have {minSlugLength} to {maxSlugLength}.':
    'Die öffentliche Adresse hat {count, plural, one {# Zeichen} other {# Zeichen}}; sie muss {minSlugLength} bis {maxSlugLength} haben.',
  'The public address (slug) may contain only lowercase letters, digits and hyphens; found {text}.':
    'Die öffentliche Adresse darf nur Kleinbuchstaben, Ziffern und Bindestriche enthalten; gefunden: {text}.',
  'The public address (slug) must not begin or end with a hyphen or contain two in a row; found {text}.':
    'Die öffentliche Adresse darf nicht mit einem Bindestrich beginnen oder enden und keine zwei hintereinander enthalten; gefunden: {text}.',
  'The website': 'Die Website',
  'The name': 'Der Name',
  'Public address': 'Öffentliche Adresse',
  Website: 'Website',
  Summary: 'Kurzbeschreibung',
  'The summary': 'Die Kurzbeschreibung',
  Category: 'Kategorie',
  'The category': 'Die Kategorie',
  'This marketplace has no categories.': 'Dieser Marktplatz hat keine Kategorien.',
  'There is no category {category}. Categories: {names}.':
    'Die Kategorie {category} gibt es nicht. Kategorien: {names}.',
  'The line has a comma, a semicolon or a tab. Put one code on each line.':
    'Die Zeile enthält ein Komma, ein Semikolon oder einen Tabulator. Schreiben Sie einen Code in jede Zeile.',
  'The list already has the code.': 'Die Liste enthält den Code bereits.',
  'The file is not a text file. In the spreadsheet, save it as CSV.':
    'Die Datei ist keine Textdatei. Speichern Sie sie im Tabellenprogramm als CSV.',
  'The description': 'Die Beschreibung',
  submitted: 'eingereicht',
  approved: 'freigegeben',
  'sent back for changes': 'zur Änderung zurückgegeben',
  rejected: 'abgelehnt',
  withdrawn: 'zurückgezogen',
  suspended: 'gesperrt',
  'approved again': 'wieder freigegeben',
  'A listing whose state is {state} cannot be {participle}; its state must be {from}.':
    'Ein Eintrag mit dem Status „{state}“ kann nicht {participle} werden; der Status muss „{from}“ sein.',
  'in a sentence|draft': 'Entwurf',
  'in a sentence|pending': 'wartet auf Prüfung',
  'in a sentence|changes requested': 'Änderungen erbeten',
  'in a sentence|approved': 'freigegeben',
  'in a sentence|rejected': 'abgelehnt',
  'in a sentence|withdrawn': 'zurückgezogen',
  'in a sentence|suspended': 'gesperrt',
  'There is no listing with the slug or id {reference}.':
    'Es gibt keinen Eintrag mit der Adresse oder ID {reference}.',
  'The listing has changed since this page was loaded. Check what is new, then try again.':
    'Der Eintrag wurde geändert, seit diese Seite geladen wurde. Prüfen Sie, was neu ist, und versuchen Sie es noch einmal.',
  'Someone else has just changed the listing. Check it, then try again.':
    'Jemand anderes hat den Eintrag gerade geändert. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  offer: 'Angebot',
  name: 'Name',
  category: 'Kategorie',
  summary: 'Kurzbeschreibung',
  description: 'Beschreibung',
  website: 'Website',
  '{field} of “{offer}”': '{field} von „{offer}“',
  'redemption link': 'Einlöselink',
  // members
  'An account can have at most {maxInvitations} open invitations. Withdraw one first.':
    'Ein Konto hat höchstens {maxInvitations} offene Einladungen. Ziehen Sie zuerst eine zurück.',
  'The role must be one of {choices}; found {text}.': 'Die Rolle ist eine von {choices}; gefunden: {text}.',
  'The time until the keys stop working must be one of {choices}; found {text}.':
    'Die Schlüssel werden nach einer dieser Zeiten widerrufen: {choices}; gefunden: {text}.',
  // network
  '{what} cannot be called: its host is unknown or not on the public internet. Check its spelling; the operator can allow other networks ({setting}).':
    '{what} kann nicht aufgerufen werden: Der Host ist unbekannt oder nicht im öffentlichen Internet. Prüfen Sie die Schreibweise; andere Netze kann der Betreiber erlauben ({setting}).',
  '{what} has a fragment (#), which is never sent.': '{what} hat ein Fragment (#), das nie gesendet wird.',
  '{what} has port {port}; only port {ordinary} and ports from {minOtherPort} up are allowed.':
    '{what} hat den Port {port}; erlaubt sind nur der Port {ordinary} und Ports ab {minOtherPort}.',
  '{what} has {count} characters; at most {maxAddressLength} are allowed.':
    '{what} hat {count} Zeichen; höchstens {maxAddressLength} sind erlaubt.',
  '{what} must start with https://; http is only for localhost, 127.0.0.1 and [::1].':
    '{what} muss mit https:// beginnen; http geht nur für localhost, 127.0.0.1 und [::1].',
  '{what} must start with https://; http is only for localhost and private networks.':
    '{what} muss mit https:// beginnen; http geht nur für localhost und private Netze.',
  '{what} contains a backslash, which browsers read as a slash.':
    '{what} enthält einen umgekehrten Schrägstrich, den Browser als Schrägstrich lesen.',
  '{what} contains a space; write it as %20.': '{what} enthält ein Leerzeichen; schreiben Sie es als %20.',
  '{what} contains the invisible character {codePoint}.':
    '{what} enthält das unsichtbare Zeichen {codePoint}.',
  '{what} must be a full address that starts with https://.':
    '{what} muss eine vollständige Adresse sein, die mit https:// beginnt.',
  '{what} must start with https:// (in lower case); found {value}.':
    '{what} muss mit https:// (in Kleinbuchstaben) beginnen; gefunden: {value}.',
  '{what} must have two slashes after "{scheme}:".': '{what} muss nach „{scheme}:“ zwei Schrägstriche haben.',
  '{what} has no host after "{scheme}://".': '{what} hat keinen Host nach „{scheme}://“.',
  '{what} contains user information before an "@", which can make one host look like another.':
    '{what} enthält Benutzerangaben vor einem „@“, die einen Host wie einen anderen aussehen lassen können.',
  '{what} has an invalid host or port: {authority}.':
    '{what} hat einen ungültigen Host oder Port: {authority}.',
  '{what} has an invalid port: {port} (1 to {maxPort} are allowed).':
    '{what} hat einen ungültigen Port: {port} (erlaubt sind 1 bis {maxPort}).',
  "{what} has an invalid host: {host} (%, '{' and '}' are not allowed).":
    "{what} hat einen ungültigen Host: {host} (%, '{' und '}' sind nicht erlaubt).",
  '{what} has an invalid host: {host}.': '{what} hat einen ungültigen Host: {host}.',
  '{what} has the host {host}, which browsers read as {read}; write {read} if that is the host you mean.':
    '{what} hat den Host {host}, den Browser als {read} lesen; wenn Sie diesen Host meinen, schreiben Sie ihn so.',
  '{what} has a host of {count} characters; at most {maxHostLength} are allowed.':
    '{what} hat einen Host mit {count} Zeichen; höchstens {maxHostLength} sind erlaubt.',
  '{what} has a host with an empty part between its dots: {host}.':
    '{what} hat einen Host mit einem leeren Teil zwischen den Punkten: {host}.',
  '{what} has a host with an invalid part: {label}. A part can have at most {maxHostLabelLength} lowercase letters, digits and hyphens, and must not begin or end with a hyphen.':
    '{what} hat einen Host mit einem ungültigen Teil: {label}. Ein Teil hat höchstens {maxHostLabelLength} Kleinbuchstaben, Ziffern und Bindestriche und beginnt und endet nicht mit einem Bindestrich.',
  '{what} has a host with a part that is invalid Punycode: {label}.':
    '{what} hat einen Host mit einem Teil, der ungültiges Punycode ist: {label}.',
  '{what} contains {foreign}; write it as {percentEncode}.':
    '{what} enthält {foreign}; schreiben Sie es als {percentEncode}.',
  '{what} contains {percent}, a percent sign without two hexadecimal digits.':
    '{what} enthält {percent}, ein Prozentzeichen ohne zwei Hexadezimalziffern.',
  '{what} contains {brace}; write it as {percentEncode}.':
    '{what} enthält {brace}; schreiben Sie es als {percentEncode}.',
  // offers
  'The code': 'Der Code',
  'The code contains a space or an invisible character.':
    'Der Code enthält ein Leerzeichen oder ein unsichtbares Zeichen.',
  'No codes found. Put one code on each line.':
    'Darin sind keine Codes. Schreiben Sie einen Code in jede Zeile.',
  'The codes of this offer were added under a secret key that is no longer configured. Report this to <operator>the operator of this marketplace</operator>.':
    'Die Codes dieses Angebots wurden unter einem geheimen Schlüssel hinzugefügt, der nicht mehr eingerichtet ist. Wenden Sie sich an <operator>den Betreiber dieses Marktplatzes</operator>.',
  'At most {maxCodesOfCall} codes can be sent at a time; found {count}.':
    'Höchstens {maxCodesOfCall} Codes können auf einmal gesendet werden; gefunden: {count}.',
  'The offer has no code list. Choose a code list for the offer, then add the codes.':
    'Das Angebot hat keine Codeliste. Bearbeiten Sie es, wählen Sie eine und fügen Sie dann die Codes hinzu.',
  'An offer can have at most {maxCodesOfOffer} codes, including those already given out or withheld after a restore. This offer has {count}; {count2, plural, one {# new code} other {# new codes}} would be too many.':
    'Ein Angebot kann höchstens {maxCodesOfOffer} Codes haben, einschließlich der vergebenen und der nach einer Wiederherstellung zurückgehaltenen. Es hat {count}; {count2, plural, one {# neuer Code wäre} other {# neue Codes wären}} zu viel.',
  'The code is the same as on line {line}.': 'Der Code ist derselbe wie in Zeile {line}.',
  'The code is not in the list or was already given to a claim.':
    'Der Code ist nicht in der Liste, oder ein Gutschein hat ihn.',
  'A listing can have at most {most} offers.': 'Ein Eintrag hat höchstens {most} Angebote.',
  'The plan of this account allows at most {most, plural, one {# offer} other {# offers}} per listing.':
    'Der Tarif dieses Kontos erlaubt höchstens {most, plural, one {# Angebot} other {# Angebote}} pro Eintrag.',
  'An offer that was live cannot be deleted. Pause it instead.':
    'Ein Angebot, das live war, kann nicht gelöscht werden. Pausieren Sie es stattdessen.',
  'The only offer of a listing in review cannot be deleted.':
    'Das einzige Angebot eines Eintrags in Prüfung kann nicht gelöscht werden.',
  'The offer has claims (test claims count too), so it cannot be deleted. Pause it instead.':
    'Das Angebot hat Gutscheine, vielleicht Test-Gutscheine, und kann deshalb nicht gelöscht werden. Pausieren Sie es stattdessen.',
  'The offers of a rejected listing cannot be changed.':
    'Die Angebote eines abgelehnten Eintrags können nicht geändert werden.',
  'The shop URL must be on {origin}, the approved website. Ask <operator>the operator of this marketplace</operator> to set a different one.':
    'Die Shop-Adresse muss auf {origin} liegen, der freigegebenen Website. Bitten Sie <operator>den Betreiber dieses Marktplatzes</operator>, eine andere einzutragen.',
  '{what} must be one of {choices}; found {text}.': '{what} muss eines von {choices} sein; gefunden: {text}.',
  'The shared code': 'Der gemeinsame Code',
  'The shared code contains a space or an invisible character; people could not type it.':
    'Der gemeinsame Code enthält ein Leerzeichen oder ein unsichtbares Zeichen; man könnte ihn nicht eintippen.',
  'The shop URL': 'Die Shop-Adresse',
  '{shop} contains a brace. Only the redemption link gets the claim token.':
    '{shop} enthält eine geschweifte Klammer. Nur der Einlöselink erhält das Gutschein-Token.',
  'The {which, select, start {start} other {end}} date must be a day such as 2026-11-20 or a time such as 2026-11-20T10:00; found {text}.':
    'Das {which, select, start {Startdatum} other {Enddatum}} muss ein Tag wie 2026-11-20 oder ein Zeitpunkt wie 2026-11-20T10:00 sein; gefunden: {text}.',
  'The claim limit must be a whole number from 1 to {maxClaimLimit}; found {text}.':
    'Das Limit ist eine ganze Zahl von 1 bis {maxClaimLimit}; gefunden: {text}.',
  'The offer text': 'Der Angebotstext',
  text: 'Text',
  'The kind of an offer': 'Die Art eines Angebots',
  kind: 'Art',
  'Redemption link': 'Einlöselink',
  'Shared code': 'Gemeinsamer Code',
  'shared code': 'gemeinsamer Code',
  'Code list': 'Codeliste',
  'The code list': 'Die Codeliste',
  'code list': 'Codeliste',
  'Shop URL': 'Shop-Adresse',
  'shop URL': 'Shop-Adresse',
  'The conditions text': 'Der Text der Bedingungen',
  conditions: 'Bedingungen',
  'Last day for new claims': 'Letzter Tag für neue Gutscheine',
  'Claim limit': 'Gutschein-Limit',
  'An offer needs a redemption link, a shared code or a code list; found none of them.':
    'Ein Angebot braucht einen Einlöselink, einen gemeinsamen Code oder eine Codeliste; nichts davon wurde gefunden.',
  'When the code list is empty, claims get the shared code, but this offer has none. Set a shared code.':
    'Das Angebot hat keinen gemeinsamen Code, den Gutscheine erhalten, wenn die Codeliste leer ist. Legen Sie einen fest.',
  'The end date {end} has passed; to stop an offer immediately, pause it.':
    'Das Enddatum {end} ist vorbei; um ein Angebot sofort zu beenden, pausieren Sie es.',
  'The offer opens on {start}, which is not before its end, {end}.':
    'Das Angebot beginnt am {start}, das ist nicht vor seinem Ende, {end}.',
  'There is no offer with the id {id}.': 'Es gibt kein Angebot mit der ID {id}.',
  'The redemption link': 'Der Einlöselink',
  'The test link': 'Der Test-Link',
  '{name} contains a percent-encoded placeholder; write {placeholder} with plain braces.':
    '{name} enthält einen prozentkodierten Platzhalter; schreiben Sie {placeholder} mit einfachen Klammern.',
  '{name} contains {placeholder} in its host; it must be in the value of a query parameter.':
    '{name} enthält {placeholder} im Host; er muss im Wert eines Parameters stehen.',
  '{name} contains {placeholder} {written} times; it must occur exactly once.':
    '{name} enthält {placeholder} {written}-mal; er darf nur einmal vorkommen.',
  '{name} contains a "{brace}" outside {placeholder}; no other braces are allowed.':
    '{name} enthält ein „{brace}“ außerhalb von {placeholder}; andere Klammern sind nicht erlaubt.',
  'The parameter is {parameter}. If "amp" is left over from "&amp;", leave it out.':
    'Der Parameter ist {parameter}. Wenn „amp“ von „&amp;“ übrig ist, lassen Sie es weg.',
  '{hostname} can be reached only from one computer or a private network.':
    'Nur ein Computer oder ein privates Netz erreicht {hostname}.',
  'The page gets more than the token: {around}. Put only {placeholder} after the equals sign.':
    'Die Seite erhält mehr als das Token: {around}. Schreiben Sie nach dem Gleichheitszeichen nur {placeholder}.',
  'The link leads to {host}, but the app’s website is {website}.':
    'Der Link führt zu {host}, aber die Website der App ist {website}.',
  '{name} contains {found}, which is how HTML encodes "&"; write only "&".':
    '{name} enthält {found}, die Schreibweise von „&“ in HTML; schreiben Sie nur „&“.',
  '{name} contains {found}; the placeholder is written {placeholder}, and no other braces are allowed.':
    '{name} enthält {found}; der Platzhalter lautet {placeholder}, und andere Klammern sind nicht erlaubt.',
  '{name} begins with {found}, which is not a part of the address; leave it out.':
    '{name} beginnt mit {found}, was nicht zur Adresse gehört; lassen Sie es weg.',
  '{name} ends with {found}, which would become part of the token; remove everything after {placeholder}.':
    '{name} endet mit {found}, was ein Teil des Tokens würde; entfernen Sie alles nach {placeholder}.',
  '{name} contains {near}; the placeholder is written {placeholder}, in lower case and without spaces.':
    '{name} enthält {near}; der Platzhalter lautet {placeholder}, in Kleinbuchstaben und ohne Leerzeichen.',
  '{name} has no {placeholder}; put it where the claim token goes, as in ?claim={placeholder}.':
    '{name} hat kein {placeholder}; setzen Sie es dorthin, wo das Gutschein-Token hingehört, wie in ?claim={placeholder}.',
  '{name} contains {placeholder} in its fragment (after "#"), which never reaches a server.':
    '{name} enthält {placeholder} im Fragment (nach „#“), das nie einen Server erreicht.',
  '{name} contains {placeholder} in its path; it must be in the value of a query parameter.':
    '{name} enthält {placeholder} im Pfad; er muss im Wert eines Parameters stehen.',
  '{name} contains {placeholder} in the name of a query parameter; it must be in the value, as in ?claim={placeholder}.':
    '{name} enthält {placeholder} im Namen eines Parameters; er muss im Wert stehen, wie in ?claim={placeholder}.',
  '{name} has the query parameter {parameter}, with a "?" or ";" in its name. Write "?" before the first parameter only, and "&" before each of the others.':
    '{name} hat den Parameter {parameter} mit einem „?“ oder „;“ im Namen. Schreiben Sie „?“ nur vor den ersten Parameter und „&“ vor jeden weiteren.',
  '{name} contains {placeholder} in a query parameter without a name.':
    '{name} enthält {placeholder} in einem Query-Parameter ohne Namen.',
  '{name} has the query parameter {parameter} more than once, so a page may read the wrong one.':
    '{name} enthält den Query-Parameter {parameter} mehrfach, eine Seite liest also vielleicht den falschen.',
  // pictures
  'This process is shutting down. Try again.': 'Dieser Prozess wird beendet. Versuchen Sie es noch einmal.',
  'Pictures can’t be processed right now. Ask the operator, or try again later.':
    'Bilder können gerade nicht verarbeitet werden. Fragen Sie den Betreiber, oder versuchen Sie es später noch einmal.',
  '{many} Try again in a minute. Nothing was changed.':
    '{many} Versuchen Sie es in einer Minute noch einmal. Es wurde nichts geändert.',
  'Many pictures are being processed.': 'Gerade werden viele Bilder verarbeitet.',
  'Many pictures are being drawn.': 'Gerade werden viele Bilder gezeichnet.',
  'The picture is an empty file.': 'Das Bild ist eine leere Datei.',
  'SVG files can contain scripts, so they are not accepted. Export the picture as PNG.':
    'SVG-Dateien können Skripte enthalten und werden deshalb nicht angenommen. Exportieren Sie das Bild als PNG.',
  'The file is not a picture in PNG, JPEG, WebP, GIF or AVIF format.':
    'Die Datei ist kein Bild im Format PNG, JPEG, WebP, GIF oder AVIF.',
  'HEIC pictures cannot be read. Export the picture as JPEG or PNG; phones can also be set to take JPEG pictures.':
    'HEIC-Bilder können nicht gelesen werden. Exportieren Sie das Bild als JPEG oder PNG; Telefone lassen sich auch auf JPEG umstellen.',
  'The file is a video or has an unsupported format. Upload a picture in PNG, JPEG, WebP, GIF or AVIF format.':
    'Die Datei ist ein Video oder ein anderes Format, kein Bild im Format PNG, JPEG, WebP, GIF oder AVIF.',
  'The picture is damaged or incomplete. Open it in an image editor, save it again and upload that file.':
    'Das Bild ist beschädigt oder unvollständig. Öffnen Sie es in einem Bildprogramm, speichern Sie es neu und laden Sie diese Datei hoch.',
  'The picture takes too much memory to process. Reduce its size and upload it again.':
    'Die Verarbeitung des Bildes braucht zu viel Speicher. Verkleinern Sie es und laden Sie es noch einmal hoch.',
  'The picture took too long to process. Reduce its size and upload it again.':
    'Das Verarbeiten des Bildes hat zu lange gedauert. Speichern Sie es kleiner und laden Sie das hoch.',
  'An icon': 'Ein Icon',
  Icon: 'Icon',
  icon: 'Icon',
  'A cover picture': 'Ein Titelbild',
  'Cover picture': 'Titelbild',
  'cover picture': 'Titelbild',
  'A picture of an offer': 'Das Bild eines Angebots',
  picture: 'Bild',
  'The picture is larger than {size} MiB. Reduce its size and upload it again.':
    'Das Bild ist größer als {size} MiB. Speichern Sie es kleiner und laden Sie das hoch.',
  'The picture has {size} pixels. The maximum is {most} megapixels and {side, number} pixels per side. Reduce its size and upload it again.':
    'Das Bild hat {size} Pixel. Höchstens {most} Megapixel und {side, number} Pixel pro Seite werden angenommen. Speichern Sie es kleiner und laden Sie das hoch.',
  '{name} needs at least {least} pixels, and this one has {size}.':
    '{name} braucht mindestens {least} Pixel, und dieses Bild hat {size}.',
  'Other shapes are cropped.': 'Andere Formen werden zugeschnitten.',
  'PNG, JPEG, WebP, GIF or AVIF, up to {size}\u00a0MiB. At least {least} pixels, ideally {largest}. {fit}':
    'PNG, JPEG, WebP, GIF oder AVIF, bis zu {size}\u00a0MiB. Mindestens {least} Pixel, am besten {largest}. {fit}',
  'Other shapes get transparent edges.': 'Andere Formen bekommen durchsichtige Ränder.',
  "An account can have at most {maxPicturesOfAccount} pictures, with a total size of at most {count} MiB. Remove one that you don't need.":
    'Ein Konto hat höchstens {maxPicturesOfAccount} Bilder, die zusammen höchstens {count} MiB belegen. Entfernen Sie eines, das Sie nicht brauchen.',
  // text
  'The reply': 'Die Antwort',
  '{rule}; found {text}.': '{rule}; gefunden: {text}.',
  'The account has stored {mib} MiB within a day, which is the limit. Nothing was changed. Try again in {wait}.':
    'Das Konto hat innerhalb eines Tages {mib} MiB gespeichert und damit die Obergrenze erreicht. Es wurde nichts geändert. Versuchen Sie es in {wait} wieder.',
  'An account without an approved listing can store {mib} MiB a day. Nothing was changed. Try again in {wait}.':
    'Ein Konto ohne freigegebenen Eintrag kann {mib} MiB am Tag speichern. Es wurde nichts geändert. Versuchen Sie es in {wait} wieder.',
  'New accounts have stored too much data in the past hour. Nothing was changed. Try again in {wait}.':
    'Neue Konten haben in der letzten Stunde zu viele Daten gespeichert. Es wurde nichts geändert. Versuchen Sie es in {wait} wieder.',
  'An account can have at most {most} listings until the operator has approved the first. Delete a draft, or wait for the review.':
    'Bis der Betreiber den ersten Eintrag freigegeben hat, kann ein Konto höchstens {most} Einträge haben. Löschen Sie einen Entwurf, oder warten Sie die Prüfung ab.',
  'At most {most} listings can wait for review until the operator has approved your first one. Nothing is lost: submit this one after the next decision.':
    'Bis der Betreiber Ihren ersten Eintrag freigegeben hat, können höchstens {most} Einträge auf die Prüfung warten. Es geht nichts verloren: Reichen Sie diesen nach der nächsten Entscheidung ein.',
  'An account can have at most {most, number} codes until the operator has approved its first listing. No codes were added.':
    'Bis der Betreiber seinen ersten Eintrag freigegeben hat, kann ein Konto höchstens {most, number} Codes haben. Es wurden keine Codes hinzugefügt.',
};
