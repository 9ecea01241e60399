/** Texts for owners about API keys and API calls. */
export const REQUESTS: Readonly<Record<string, string>> = {
  // dashboard/keys
  'name, mode and lifetime': 'Namen, Modus und derselben Laufzeit',
  'cannot verify claims': 'kann keine Gutscheine mehr prüfen',
  'The server that uses the key, such as “shop server”.':
    'Für welchen Server der Schlüssel ist, zum Beispiel „Shop-Server“.',
  'The key is shown once, on the next page.':
    'Der Schlüssel wird nur einmal angezeigt, auf der nächsten Seite.',
  'Your server sends a key with every verification. A key belongs on a server, never in a page or an app.':
    'Ihr Server sendet bei jeder Prüfung einen Schlüssel. Ein Schlüssel gehört auf einen Server, nie in eine Seite oder App.',
  'No test keys yet. Your server needs one to verify test claims.':
    'Noch keine Test-Schlüssel. Ihr Server braucht einen, um Test-Gutscheine zu prüfen.',
  'No live keys yet. Your server needs one to verify claims.':
    'Noch keine Live-Schlüssel. Ihr Server braucht einen, um Gutscheine zu prüfen.',
  'Your server cannot verify test claims until you create one.':
    'Ihr Server kann keine Test-Gutscheine prüfen, bis Sie einen erstellen.',
  'Your server cannot verify claims until you create one.':
    'Ihr Server kann keine Gutscheine prüfen, bis Sie einen erstellen.',
  'Show {mode, select, test {test} other {live}} keys':
    '{mode, select, test {Test} other {Live}}-Schlüssel anzeigen',
  'A {mode, select, test {test} other {live}} key was sent by a browser':
    'Ein {mode, select, test {Test} other {Live}}-Schlüssel wurde von einem Browser gesendet',
  'A web page sent the key, and anyone who opened that page can read the key. Remove the key from the page, then roll it.':
    'Er kam von einer Webseite, und jeder, der sie geöffnet hat, kann ihn lesen. Entfernen Sie ihn von der Seite und tauschen Sie ihn dann aus.',
  'You also have {count, plural, one {# active {mode, select, test {test} other {live}} key} other {# active {mode, select, test {test} other {live}} keys}}.':
    'Sie haben außerdem {count, plural, one {# aktiven {mode, select, test {Test} other {Live}}-Schlüssel} other {# aktive {mode, select, test {Test} other {Live}}-Schlüssel}}.',
  'Roll key…': 'Austauschen …',
  'Revoke…': 'Widerrufen …',
  'A browser sent the API key “{name}”': 'Ein Browser hat den API-Schlüssel „{name}“ gesendet',
  'Roll key… {name}': 'Austauschen … {name}',
  'On {time}, a web page sent a call with {mono}. The call was refused, but anyone who opened that page can read the key. Remove the key from the page, then {verb, select, roll {roll the key and choose to revoke the old one immediately} other {revoke it}}.':
    'Ein Aufruf mit {mono} kam am {time} von einer Webseite. Er wurde abgelehnt, aber wer diese Seite geöffnet hat, kann den Schlüssel lesen. Entfernen Sie ihn aus der Seite{verb, select, roll {, tauschen Sie ihn dann aus und widerrufen Sie den alten sofort} other { und widerrufen Sie ihn dann}}.',
  'Your plan has codes, but no API keys': 'In Ihrem Tarif arbeiten Sie mit Codes',
  'Your keys are not deleted. Calls with your keys are refused with <a>plan_without_api_keys</a> until your plan has API keys again.':
    'Ihre Schlüssel werden nicht gelöscht. Bis Ihr Tarif wieder API-Schlüssel enthält, werden Aufrufe mit ihnen mit <a>plan_without_api_keys</a> abgelehnt.',
  'API key': 'API-Schlüssel',
  'Give an offer a shared code. People claim the offer, see the code and enter the code at your checkout. You don’t have to build anything. API keys are included in {plans}. With a key, your server verifies each claim, and each claim can be redeemed only once.':
    'Geben Sie einem Angebot einen gemeinsamen Code: Man sichert es sich, sieht den Code und gibt ihn an Ihrer Kasse ein, und Sie müssen nichts programmieren. API-Schlüssel gibt es mit {plans}: Damit prüft Ihr Server jeden Gutschein, und jeder kann nur einmal eingelöst werden.',
  'Compare plans': 'Tarife vergleichen',
  '{mode, select, test {test} other {live}} mode': '{mode, select, test {Testmodus} other {Live-Modus}}',
  'Verifies and redeems the claims of real people.': 'Prüft und löst die Gutscheine echter Personen ein.',
  'Verifies and redeems test claims only.': 'Prüft und löst nur Test-Gutscheine ein.',
  'Your plan is {name}. Ask for another plan here, or write to <operator>the operator of this marketplace</operator>.':
    'Ihr Tarif ist {name}. Fragen Sie hier einen anderen an oder schreiben Sie <operator>dem Betreiber dieses Marktplatzes</operator>.',
  'Moving to a plan without API keys deletes nothing. Your keys are refused until you move back, and people can still claim your offers.':
    'Ein Wechsel zu einem Tarif ohne API-Schlüssel löscht nichts: Ihre Angebote gelten weiter, nur Ihre Schlüssel werden abgelehnt, bis Sie zurückwechseln.',
  'You asked for {name}': 'Sie haben {name} angefragt',
  'Asked on {time}. You’ll see the answer here.': 'Angefragt am {time}. Die Antwort sehen Sie hier.',
  'Your request for {name} was declined': 'Ihre Anfrage nach {name} wurde abgelehnt',
  'Your plan': 'Ihr Tarif',
  'As many listings, offers and members as this marketplace allows':
    'So viele Einträge, Angebote und Mitglieder, wie dieser Marktplatz erlaubt',
  'Everything in {name}, plus:': 'Alles aus {name}, dazu:',
  'Listings with offers and codes': 'Einträge mit Angeboten und Codes',
  'Redemption links': 'Einlöselinks',
  'Claims and campaigns': 'Gutscheine und Kampagnen',
  'API keys: your server verifies each claim, and each claim can be redeemed only once':
    'API-Schlüssel: Ihr Server prüft jeden Gutschein, und jeder kann nur einmal eingelöst werden',
  'Reports that show which campaigns lead to redemptions':
    'Auswertungen, welche Kampagnen zu Einlösungen führen',
  'No API keys': 'Keine API-Schlüssel',
  'Anything the operator should know.': 'Alles, was der Betreiber wissen sollte.',
  'Ask for {name}…': '{name} anfragen …',
  'Ask for {name}': '{name} anfragen',
  Message: 'Nachricht',
  // keys
  'revoke one first': 'widerrufen Sie zuerst einen',
  '{limit}; {advice}.': '{limit}; {advice}.',
  'Someone else has just {rolled, select, rolled {rolled} other {replaced}} or revoked the key. Check it, then try again.':
    'Jemand anderes hat den Schlüssel gerade {rolled, select, rolled {ausgetauscht} other {ersetzt}} oder widerrufen. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  'revoke the old key immediately, or revoke another key first':
    'widerrufen Sie den alten Schlüssel sofort oder zuerst einen anderen',
  'The time to keep the old key must be one of {choices}; found {text}.':
    'Der alte Schlüssel kann nur eine dieser Zeiten lang gelten: {choices}; gefunden: {text}.',
  'The key was already {rolled, select, rolled {rolled} other {replaced}}; the new key has the id {id}.':
    'Der Schlüssel wurde bereits {rolled, select, rolled {ausgetauscht} other {ersetzt}}; der neuere hat die ID {id}.',
  'The key is {state, select, expired {expired} revoked {revoked} other {suspended}} and cannot be {rolled, select, rolled {rolled} other {replaced}}; create a new one.':
    'Der Schlüssel ist {state, select, expired {abgelaufen} revoked {widerrufen} other {gesperrt}} und kann nicht {rolled, select, rolled {ausgetauscht} other {ersetzt}} werden; erstellen Sie einen neuen.',
  'The mode must be "live" or "test"; found {text}.':
    'Der Modus muss "live" oder "test" sein; gefunden: {text}.',
  'The name of the key': 'Der Name des Schlüssels',
  'The lifetime of a key must be a number of hours or days from 1h to 3650d, such as 24h or 90d; found {text}.':
    'Die Laufzeit eines Schlüssels muss eine Zahl von Stunden oder Tagen von 1h bis 3650d sein, zum Beispiel 24h oder 90d; gefunden: {text}.',
  'An account can have at most {count} active API keys':
    'Ein Konto hat höchstens {count} aktive API-Schlüssel',
  // attempts
  'The outcome must be one of {choices}; found {text}.':
    'Das Ergebnis muss eines von {choices} sein; gefunden: {text}.',
  'No request in the log has the code {text}.': 'Kein Aufruf im Protokoll hat den Code {text}.',
  'No cause is called {text}. “Failures by cause” lists the causes of your failed calls.':
    'Keine Ursache heißt {text}; „Fehler nach Ursache“ führt die Ursachen Ihrer fehlgeschlagenen Aufrufe auf.',
  '“From” must look like 2026-11-20T10:00 or 2026-11-20':
    '„Von“ muss wie 2026-11-20T10:00 oder 2026-11-20 aussehen',
  '“Until” must look like 2026-11-20T10:00 or 2026-11-20':
    '„Bis“ muss wie 2026-11-20T10:00 oder 2026-11-20 aussehen',
  'Send the value of the link’s parameter exactly as it arrived: not the whole link, not shortened, not decoded twice, and without spaces, quotes or line breaks around it.':
    'Senden Sie den Wert des Link-Parameters genau so, wie er ankam: nicht den ganzen Link, nicht gekürzt, nicht zweimal dekodiert und ohne Leerzeichen, Anführungszeichen oder Zeilenumbrüche darum herum.',
  'Send {body}, optionally with "reference", and nothing else.':
    'Senden Sie {body}, eventuell mit "reference", und sonst nichts.',
  'The claim was redeemed by this call.': 'Der Gutschein wurde durch diesen Aufruf eingelöst.',
  'The same Idempotency-Key was sent again, so the call got the same response.':
    'Derselbe Idempotency-Key wurde noch einmal gesendet und erhielt deshalb dieselbe Antwort.',
  'The claim is valid. Nothing was redeemed.': 'Der Gutschein ist gültig. Es wurde nichts eingelöst.',
  'The claim had already been redeemed.': 'Der Gutschein war bereits eingelöst.',
  'No claim on your listings has this token.': 'Kein Gutschein zu Ihren Einträgen hat dieses Token.',
  '{whole} Anybody can open your page with a made-up token, so a few of these requests are normal.':
    '{whole} Jeder kann Ihre Seite mit einem erfundenen Token öffnen, einige solche Aufrufe sind also normal.',
  'A whole link was sent as the token.': 'Als Token wurde ein ganzer Link gesendet.',
  'Send only the value of the link’s parameter, from the query of the URL that was opened.':
    'Senden Sie nur den Wert des Parameters aus der Adresse, die geöffnet wurde.',
  'A token was sent with other text around it, such as a space, a quote or another parameter.':
    'Ein Token wurde mit anderem Text darum herum gesendet, zum Beispiel einem Leerzeichen, einem Anführungszeichen oder einem weiteren Parameter.',
  'The token was changed on the way: its checksum is wrong.':
    'Das Token wurde unterwegs verändert: Seine Prüfsumme stimmt nicht.',
  'The placeholder {placeholder} itself was sent as the token.':
    'Der Platzhalter {placeholder} selbst wurde als Token gesendet.',
  'Read the token from the URL that was opened. In that URL, the service has replaced {placeholder} with the token.':
    'Lesen Sie das Token aus der Adresse, die geöffnet wurde: Der Dienst setzt es an die Stelle von {placeholder}.',
  'A test token was sent with a live key.': 'Ein Test-Token wurde mit einem Live-Schlüssel gesendet.',
  'Use a test key for a test token, or send the token of a real claim.':
    'Verwenden Sie dafür einen Test-Schlüssel, oder senden Sie das Token eines echten Gutscheins.',
  'A live token was sent with a test key.': 'Ein Live-Token wurde mit einem Test-Schlüssel gesendet.',
  'Use a live key for a live token.': 'Verwenden Sie dafür einen Live-Schlüssel.',
  'The body was empty, was not UTF-8, or began with a byte order mark.':
    'Der Inhalt war leer, kein UTF-8 oder begann mit einer Byte-Reihenfolge-Markierung.',
  'The body was not JSON.': 'Der Inhalt war kein JSON.',
  'The body was JSON, but not an object.': 'Der Inhalt war JSON, aber kein Objekt.',
  'The body had an unknown member.': 'Der Inhalt hatte ein unbekanntes Feld.',
  'The body had the same member twice.': 'Der Inhalt hatte dasselbe Feld zweimal.',
  'The body had no member "token".': 'Der Inhalt hatte kein Feld "token".',
  'The member "token" was empty, too long or not a string.':
    'Das Feld "token" war leer, zu lang oder keine Zeichenkette.',
  'Send the token from the link as a string.': 'Senden Sie das Token aus dem Link als Zeichenkette.',
  'The member "redeem" was neither true nor false.': 'Das Feld "redeem" war weder true noch false.',
  'Send true or false without quotation marks.': 'Senden Sie true oder false ohne Anführungszeichen.',
  'The member "reference" was empty, was too long, was not a single line of text, or contained a secret.':
    'Das Feld "reference" war leer, zu lang, keine Textzeile oder enthielt ein Geheimnis.',
  'Send at most 100 characters, such as the order number.':
    'Senden Sie höchstens 100 Zeichen, zum Beispiel die Bestellnummer.',
  'The Idempotency-Key was malformed.': 'Der Idempotency-Key war fehlerhaft.',
  'Send 1 to 255 visible ASCII characters, such as the order number.':
    'Senden Sie 1 bis 255 sichtbare ASCII-Zeichen, zum Beispiel die Bestellnummer.',
  'The API key is revoked or has expired.': 'Der API-Schlüssel ist widerrufen oder abgelaufen.',
  'Put an active key on your server.': 'Hinterlegen Sie einen aktiven Schlüssel auf Ihrem Server.',
  'The call was not a POST.': 'Der Aufruf war kein POST.',
  'Send a POST to the exact URL: a redirect from http to https turns a POST into a GET.':
    'Senden Sie ein POST an genau diese Adresse: Eine Weiterleitung von http zu https macht ein GET daraus.',
  'The body was larger than 4 KiB.': 'Der Inhalt war größer als 4 KiB.',
  'A fixed test token was sent, so the call got the response of this token.':
    'Ein festes Test-Token wurde gesendet, und das ist seine Antwort.',
  'The response of a fixed test token was repeated.':
    'Die Antwort eines festen Test-Tokens wurde wiederholt.',
  'A fixed test token was sent. Calls with this token deliberately get no response.':
    'Ein festes Test-Token wurde gesendet, das absichtlich keine Antwort erhält.',
  // dashboard/requests
  'A fixed test token was sent with a live key. Fixed test tokens work only with test keys.':
    'Ein festes Test-Token wurde mit einem Live-Schlüssel gesendet. Nur Test-Schlüssel kennen diese Token.',
  'The API key': 'Der API-Schlüssel',
  'The API key “{keyName}”': 'Der API-Schlüssel „{keyName}“',
  '{key} is revoked.': '{key} ist widerrufen.',
  '{key} has expired.': '{key} ist abgelaufen.',
  'Create a new key and put it on your server.':
    'Erstellen Sie einen neuen Schlüssel und hinterlegen Sie ihn auf Ihrem Server.',
  'A web page tried to call the API.': 'Eine Webseite hat versucht, die API aufzurufen.',
  'Call the API from your server. Anyone can read an API key that is used in a browser.':
    'Rufen Sie die API von Ihrem Server aus auf. Einen API-Schlüssel im Browser kann jeder lesen.',
  '(The body was invalid and was not recorded.)': '(Der Inhalt war ungültig und wurde nicht aufgezeichnet.)',
  '(The body was not read.)': '(Der Inhalt wurde nicht gelesen.)',
  '(The connection was closed without a response.)': '(Die Verbindung wurde ohne Antwort geschlossen.)',
  'The whole log': 'Das ganze Protokoll',
  'Last hour': 'Letzte Stunde',
  'Last 24 hours': 'Letzte 24 Stunden',
  'No requests failed in this period.': 'In diesem Zeitraum ist kein Aufruf fehlgeschlagen.',
  'over {count, number}': 'über {count, number}',
  First: 'Zuerst',
  Last: 'Zuletzt',
  'About {outcome}': 'Über {outcome}',
  Cause: 'Ursache',
  'log|Requests': 'Aufrufe',
  'Failures by cause': 'Fehler nach Ursache',
  'All requests': 'Alle Aufrufe',
  Period: 'Zeitraum',
  'Your server has sent no requests with a {mode, select, test {test} other {live}} key in the last {days, plural, one {# day} other {# days}}. Requests appear here once they are answered.':
    'Ihr Server hat in {days, plural, one {dem letzten Tag} other {den letzten # Tagen}} keine Aufrufe mit einem {mode, select, test {Test} other {Live}}-Schlüssel gesendet. Aufrufe erscheinen hier, sobald sie beantwortet sind.',
  'Requests need an API key, but your plan has no API keys. Offers with a shared code work without requests.':
    'Ihr Tarif hat keine API-Schlüssel, deshalb gibt es keine Aufrufe. Einträge funktionieren auch nur mit einem gemeinsamen Code.',
  'Make the first request': 'Ersten Aufruf senden',
  'Show {mode, select, test {test} other {live}} requests':
    '{mode, select, test {Test} other {Live}}-Aufrufe anzeigen',
  'See the plans': 'Tarife ansehen',
  '{outcome} token {mono} · key “web server” · answered in 2 ms':
    '{outcome} Token {mono} · Schlüssel „Webserver“ · beantwortet in 2 ms',
  'Any error': 'Jeder Fehlercode',
  'Not found or any error': 'Nicht gefunden oder ein Fehler',
  'Any outcome': 'Alle',
  'Error code': 'Fehlercode',
  'Any code': 'Alle Codes',
  'All keys': 'Alle Schlüssel',
  '{name} ({start}…, revoked)': '{name} ({start}…, widerrufen)',
  Until: 'Bis',
  'Any cause': 'Jede Ursache',
  'Matching requests': 'Passende Aufrufe',
  'No requests match.': 'Keine passenden Aufrufe.',
  '{count, plural, one {# request} other {# requests}}': '{count, plural, one {# Aufruf} other {# Aufrufe}}',
  'New requests no longer appear here.': 'Diese Seite fügt keine neuen Aufrufe mehr hinzu.',
  'New requests appear here': 'Neue Aufrufe erscheinen hier',
  'Follow again': 'Wieder verfolgen',
  Refresh: 'Aktualisieren',
  'Follow live': 'Live verfolgen',
  Stop: 'Anhalten',
  'fixed token': 'festes Token',
  Time: 'Zeit',
  Outcome: 'Ergebnis',
  'Key and token': 'Schlüssel, Token',
  'no key': 'kein Schlüssel',
  'no token': 'kein Token',
  Latency: 'Latenz',
  unknown: 'unbekannt',
  From: 'Von',
  Failures: 'Fehler',
  'Request {requestId}': 'Aufruf {requestId}',
  'Requests from your server to verify and redeem claims, with the responses.':
    'Aufrufe Ihres Servers, um Gutscheine zu prüfen und einzulösen, mit den Antworten.',
  'Views of the request log': 'Ansichten der API-Aufrufe',
  '{calls, plural, one {# request was} other {# requests were}} answered as usual but not recorded, most recently on {time}. <a>What is recorded</a>':
    '{calls, plural, one {# Aufruf wurde} other {# Aufrufe wurden}} wie üblich beantwortet, aber nicht aufgezeichnet, zuletzt am {time}. <a>Was aufgezeichnet wird</a>',
  'The newest {calls, number} requests of each mode are kept for {days, plural, one {# day} other {# days}}. Not listed: requests with an unknown API key, requests without a key (except from a browser on your approved website), and requests answered with 500 or 503.':
    'Aufrufe bleiben {days, plural, one {# Tag} other {# Tage}} gespeichert, höchstens die neuesten {calls, number} je Modus. Nicht aufgeführt sind Aufrufe mit unbekanntem API-Schlüssel, Aufrufe ohne Schlüssel (außer aus einem Browser auf Ihrer geprüften Website) und Aufrufe, die mit 500 oder 503 beantwortet wurden.',
  '{milliseconds} ms': '{milliseconds} ms',
  'Request on {time}': 'Aufruf vom {time}',
  'The log doesn’t store the complete API key, token or Idempotency-Key: only the parts shown here, the ID of the API key and a hash of the token.':
    'Das Protokoll speichert nur die hier gezeigten Teile von API-Schlüssel, Token und Idempotency-Key, die ID des Schlüssels und einen Hash des Tokens.',
  'Send again now': 'Jetzt erneut prüfen',
  'The response is reconstructed from the claim and its offer.':
    'Die Antwort ist aus dem Gutschein und seinem Angebot rekonstruiert.',
  'Copy as curl': 'Als curl kopieren',
  'the command': 'den Befehl',
  'Fill in the key and the token in the first two lines. The command redeems nothing.':
    'Ergänzen Sie Schlüssel und Token in den ersten zwei Zeilen. Der Befehl löst nichts ein.',
  'About fixed tokens': 'Über feste Token',
  'A fixed token belongs to no claim. A call with this token and a test key has the same result on every installation.':
    'Ein festes Token gehört zu keinem Gutschein. Ein Aufruf mit diesem Token und einem Test-Schlüssel hat in jeder Installation dasselbe Ergebnis.',
  'All requests with this cause': 'Alle Aufrufe mit dieser Ursache',
  'About this error': 'Über diesen Fehler',
  'Sends the same key and token now, with {code}. Nothing is redeemed, and nothing is added to the log.':
    'Sendet denselben Schlüssel und dasselbe Token jetzt, mit {code}. Es wird nichts eingelöst und nichts protokolliert.',
  'This request cannot be sent again. {whyNot}':
    'Dieser Aufruf kann nicht noch einmal gesendet werden. {whyNot}',
  'Answered in {latency}': 'Beantwortet in {latency}',
  'the request': 'den Aufruf',
  'the request ID': 'die Request-ID',
  'Answered in': 'Beantwortet in',
  'not measured': 'nicht gemessen',
  Token: 'Token',
  'api|Request': 'Aufruf',
  Response: 'Antwort',
  'Send again': 'Noch einmal senden',
  'api|Send again': 'Erneut prüfen',
  // errors
  'The account of this key is on a plan that has no API keys.':
    'Das Konto dieses Schlüssels hat einen Tarif ohne API-Schlüssel.',
  'Ask the operator for a plan with API keys, under Settings → Plan.':
    'Bitten Sie den Betreiber unter Einstellungen → Tarif um einen Tarif mit API-Schlüsseln.',
  'The account of this key is suspended.': 'Das Konto dieses Schlüssels ist gesperrt.',
  'Ask the operator to restore the account. After that, the claims can be redeemed as before.':
    'Bitten Sie den Betreiber, die Sperre aufzuheben. Bereits gesicherte Gutscheine bleiben danach einlösbar.',
  'The call came from a browser, so nothing was done.':
    'Der Aufruf kam von einem Browser, deshalb wurde nichts getan.',
  'Call the operation from your server, and roll the key: it was sent by a browser.':
    'Rufen Sie die API von Ihrem Server aus auf und tauschen Sie den Schlüssel aus: Ein Browser hat ihn gesendet.',
  'The body is not declared as JSON.': 'Der Inhalt ist nicht als JSON gekennzeichnet.',
  'Send `Content-Type: application/json` and no Content-Encoding.':
    'Senden Sie `Content-Type: application/json` und kein Content-Encoding.',
  'This Idempotency-Key has already redeemed another token, so this call redeemed nothing.':
    'Dieser Idempotency-Key hat bereits ein anderes Token eingelöst; jetzt wurde nichts eingelöst.',
  'Use one key per order, or a new key each time a person tries to redeem; never use the same key for two tokens.':
    'Verwenden Sie einen Idempotency-Key pro Bestellung oder bei jedem Versuch einer Person einen neuen; nie denselben für zwei Token.',
  'The API key exceeded its rate limit, so nothing was done.':
    'Der API-Schlüssel sendet schneller, als er darf, deshalb wurde nichts getan.',
  'Wait the number of seconds in Retry-After, then send the same request again.':
    'Warten Sie so viele Sekunden, wie Retry-After nennt, und senden Sie denselben Aufruf dann noch einmal.',
  // http
  'Create an {noun}': '{noun} erstellen',
  Expires: 'Läuft ab',
  'In 30 days': 'In 30 Tagen',
  'In 90 days': 'In 90 Tagen',
  'In a year': 'In einem Jahr',
  'Your new {noun}': 'Ihr neuer {noun}',
  'The key is {roll, select, Roll {rolled} other {replaced}}':
    'Der Schlüssel ist {roll, select, Roll {ausgetauscht} other {ersetzt}}',
  '“{name}”, {about}.': '„{name}“, {about}.',
  'It does not expire.': 'Er läuft nicht ab.',
  'It expires on {time}.': 'Er läuft am {time} ab.',
  'Save the key now. It is shown only once':
    'Speichern Sie den Schlüssel jetzt. Er wird nur einmal angezeigt',
  'Only a hash of the key is stored here. If you lose the key, {roll, select, Roll {roll} other {replace}} it.':
    'Hier ist nur sein Hashwert gespeichert. Wenn Sie ihn verlieren, {roll, select, Roll {tauschen Sie den Schlüssel aus} other {ersetzen Sie den Schlüssel}}.',
  'the {noun}': 'der {noun}',
  'Environment variables': 'Umgebungsvariablen',
  'Download {file}': '{file} herunterladen',
  'the lines of the file': 'die Zeilen der Datei',
  'The old key no longer works': 'Der alte Schlüssel ist widerrufen',
  'Calls with it are refused from now on. Put the new key on your server.':
    'Aufrufe mit ihm werden ab jetzt abgelehnt. Hinterlegen Sie den neuen Schlüssel auf Ihrem Server.',
  'The old key works for a while': 'Der alte Schlüssel gilt noch eine Weile',
  'A retry with the same Idempotency-Key gets the same response, whether it uses the old or the new API key.':
    'Eine Wiederholung mit demselben Idempotency-Key erhält mit beiden Schlüsseln dieselbe Antwort.',
  'Until {time}, both keys work. Put the new one on every server by then.':
    'Bis {time} gelten beide Schlüssel. Hinterlegen Sie den neuen bis dahin auf allen Ihren Servern.',
  'Create {noun}': '{noun} erstellen',
};
