/** What owners read under Developers: keys, requests, link checks and webhooks. */
export const DEVELOPERS: Readonly<Record<string, string>> = {
  // attempts
  'The outcome is one of {outcomeFilters}; found {text}.':
    'Das Ergebnis ist eines von {outcomeFilters}; gefunden: {text}.',
  'No call in the log has the code {text}.': 'Kein Aufruf im Protokoll hat den Code {text}.',
  'No cause is called {text}; “Failures by cause” lists them.':
    'Keine Ursache heißt {text}; „Fehler nach Ursache“ führt sie auf.',
  'The first time is written like 2026-11-20T10:00 or 2026-11-20':
    'Der erste Zeitpunkt wird wie 2026-11-20T10:00 oder 2026-11-20 geschrieben',
  'The last time is written like 2026-11-20T10:00 or 2026-11-20':
    'Der letzte Zeitpunkt wird wie 2026-11-20T10:00 oder 2026-11-20 geschrieben',
  'Send the value of the link’s parameter exactly as it arrived: not the whole link, not shortened, not decoded twice, and without spaces, quotes or line breaks around it.':
    'Senden Sie den Wert des Link-Parameters genau so, wie er ankam: nicht den ganzen Link, nicht gekürzt, nicht zweimal dekodiert und ohne Leerzeichen, Anführungszeichen oder Zeilenumbrüche darum herum.',
  'Send {body}, perhaps with "reference", and nothing else.':
    'Senden Sie {body}, eventuell mit "reference", und sonst nichts.',
  'The claim was redeemed by this call.': 'Der Gutschein wurde durch diesen Aufruf eingelöst.',
  'The same Idempotency-Key was sent again, so it got the same response.':
    'Derselbe Idempotency-Key wurde noch einmal gesendet und erhielt deshalb dieselbe Antwort.',
  'The claim is valid. Nothing was redeemed.': 'Der Gutschein ist gültig. Es wurde nichts eingelöst.',
  'The claim had already been redeemed.': 'Der Gutschein war bereits eingelöst.',
  'No claim on your listings has this token.': 'Kein Gutschein Ihrer Einträge hat dieses Token.',
  '{whole} Anybody can open your page with a made-up token, so a few of these calls are normal.':
    '{whole} Jeder kann Ihre Seite mit einem erfundenen Token öffnen, einige solche Aufrufe sind also normal.',
  'A whole link was sent as the token.': 'Als Token wurde ein ganzer Link gesendet.',
  'Send only the value of its parameter, from the query of the URL that was opened.':
    'Senden Sie nur den Wert des Parameters aus der Adresse, die geöffnet wurde.',
  'A token was sent with other text around it, such as a space, a quote or another parameter.':
    'Ein Token wurde mit anderem Text darum herum gesendet, zum Beispiel einem Leerzeichen, einem Anführungszeichen oder einem weiteren Parameter.',
  'The token was changed on the way: its checksum is wrong.':
    'Das Token wurde unterwegs verändert: Seine Prüfsumme stimmt nicht.',
  'The placeholder {placeholder} itself was sent as the token.':
    'Der Platzhalter {placeholder} selbst wurde als Token gesendet.',
  'Read the token from the URL that was opened: the service puts it in place of {placeholder}.':
    'Lesen Sie das Token aus der Adresse, die geöffnet wurde: Der Dienst setzt es an die Stelle von {placeholder}.',
  'A test token was sent with a live key.': 'Ein Test-Token wurde mit einem Live-Schlüssel gesendet.',
  'Use a test key for it, or send the token of a real claim.':
    'Verwenden Sie dafür einen Test-Schlüssel, oder senden Sie das Token eines echten Gutscheins.',
  'A live token was sent with a test key.': 'Ein Live-Token wurde mit einem Test-Schlüssel gesendet.',
  'Use a live key for it.': 'Verwenden Sie dafür einen Live-Schlüssel.',
  'The body was empty, not UTF-8, or began with a byte order mark.':
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
  'The member "reference" was empty, too long, not a line of text, or contained a secret.':
    'Das Feld "reference" war leer, zu lang, keine Textzeile oder enthielt ein Geheimnis.',
  'Send at most 100 characters, such as the order number.':
    'Senden Sie höchstens 100 Zeichen, zum Beispiel die Bestellnummer.',
  'The Idempotency-Key was malformed.': 'Der Idempotency-Key war fehlerhaft.',
  'Send 1 to 255 visible ASCII characters, such as the order number.':
    'Senden Sie 1 bis 255 sichtbare ASCII-Zeichen, zum Beispiel die Bestellnummer.',
  'The API key is revoked or has expired.': 'Der API-Schlüssel ist widerrufen oder abgelaufen.',
  'Put an active key on your server.': 'Hinterlegen Sie einen aktiven Schlüssel auf Ihrem Server.',
  'The call was not a POST.': 'Der Aufruf war kein POST.',
  'Send a POST to the exact URL: a redirect from http to https turns it into a GET.':
    'Senden Sie ein POST an genau diese Adresse: Eine Weiterleitung von http zu https macht ein GET daraus.',
  'The body was larger than 4 KiB.': 'Der Inhalt war größer als 4 KiB.',
  'A fixed test token was sent, and this is its response.':
    'Ein festes Test-Token wurde gesendet, und das ist seine Antwort.',
  'The response of a fixed test token was repeated.':
    'Die Antwort eines festen Test-Tokens wurde wiederholt.',
  'A fixed test token was sent that gets no response, on purpose.':
    'Ein festes Test-Token wurde gesendet, das absichtlich keine Antwort erhält.',
  // dashboard/keys
  'name, mode and lifetime': 'Namen, Modus und derselben Laufzeit',
  'cannot verify claims': 'kann keine Gutscheine mehr prüfen',
  'Which server it is for, such as “shop server”.': 'Für welchen Server er ist, zum Beispiel „Shop-Server“.',
  'Its secret is shown once, on the next page.':
    'Das Geheimnis wird einmal angezeigt, auf der nächsten Seite.',
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
  'Anyone who opened that page can read the key. Remove it from the page, then roll it.':
    'Wer diese Seite geöffnet hat, kann den Schlüssel lesen. Entfernen Sie ihn aus der Seite und tauschen Sie ihn dann aus.',
  'You also have {count, plural, one {# active {mode, select, test {test} other {live}} key} other {# active {mode, select, test {test} other {live}} keys}}.':
    'Sie haben außerdem {count, plural, one {# aktiven {mode, select, test {Test} other {Live}}-Schlüssel} other {# aktive {mode, select, test {Test} other {Live}}-Schlüssel}}.',
  Roll: 'Austauschen',
  Revoke: 'Widerrufen',
  'A browser sent the API key “{name}”': 'Ein Browser hat den API-Schlüssel „{name}“ gesendet',
  'Roll… {name} now': 'Jetzt austauschen … {name}',
  'Revoke… {name} now': 'Jetzt widerrufen … {name}',
  'A call with {mono} came from a web page on {time}. It was refused, but anyone who opened that page can read the key. Remove it from the page, then {verb, select, roll {roll it and end the old key now} other {revoke it}}.':
    'Ein Aufruf mit {mono} kam am {time} von einer Webseite. Er wurde abgelehnt, aber wer diese Seite geöffnet hat, kann den Schlüssel lesen. Entfernen Sie ihn aus der Seite und {verb, select, roll {tauschen Sie ihn dann aus; beenden Sie den alten sofort} other {widerrufen Sie ihn dann}}.',
  'Your plan works with codes': 'Ihr Tarif arbeitet mit Codes',
  'Your keys are not deleted. Until you have one of these plans again, calls with them are refused with <a>plan_without_api_keys</a>.':
    'Ihre Schlüssel werden nicht gelöscht. Bis Sie wieder einen dieser Tarife haben, werden Aufrufe damit mit <a>plan_without_api_keys</a> abgelehnt.',
  'API key': 'API-Schlüssel',
  'Give an offer a shared code: people claim it, see the code and enter it at your checkout, and you don’t have to build anything. API keys come with {plans}: with one, your server verifies each claim, and each claim can be redeemed only once.':
    'Geben Sie einem Angebot einen gemeinsamen Code: Man sichert es sich, sieht den Code und gibt ihn an Ihrer Kasse ein, und Sie müssen nichts programmieren. API-Schlüssel gibt es mit {plans}: Damit prüft Ihr Server jeden Gutschein, und jeder kann nur einmal eingelöst werden.',
  'Compare plans': 'Tarife vergleichen',
  '{mode, select, test {test} other {live}} mode': '{mode, select, test {Testmodus} other {Live-Modus}}',
  'Verifies and redeems the claims of real people.': 'Prüft und löst die Gutscheine echter Personen ein.',
  'Test claims only; it cannot redeem a real one.':
    'Nur Test-Gutscheine; einen echten kann er nicht einlösen.',
  'Ask for another plan here, or write to {operator}. Moving to a plan without API keys deletes nothing: your keys are refused until you move back, and people can still claim your offers.':
    'Fragen Sie hier einen anderen Tarif an, oder schreiben Sie an: {operator}. Ein Wechsel zu einem Tarif ohne API-Schlüssel löscht nichts: Ihre Schlüssel werden abgelehnt, bis Sie zurückwechseln, und man kann sich Ihre Angebote weiter sichern.',
  'You asked for {name}': 'Sie haben {name} angefragt',
  'Asked on {time}. You’ll see the answer here.': 'Angefragt am {time}. Die Antwort sehen Sie hier.',
  'Your request for {name} was declined': 'Ihre Anfrage nach {name} wurde abgelehnt',
  Yours: 'Ihr Tarif',
  'Listings with offers and codes': 'Einträge mit Angeboten und Codes',
  'Redemption links': 'Einlöselinks',
  'Claims and campaigns': 'Gutscheine und Kampagnen',
  'API keys: your server verifies each claim, and each can be redeemed only once':
    'API-Schlüssel: Ihr Server prüft jeden Gutschein, und jeder kann nur einmal eingelöst werden',
  'Redemptions and rates per campaign': 'Einlösungen und Quoten pro Kampagne',
  'No API keys': 'Keine API-Schlüssel',
  'Anything the operator should know.': 'Alles, was der Betreiber wissen sollte.',
  'Ask for {name}…': '{name} anfragen …',
  'Ask for {name}': '{name} anfragen',
  Message: 'Nachricht',
  // dashboard/link-checks
  'The recommended page': 'Die empfohlene Seite',
  'Your page answers': 'Ihre Seite antwortet',
  'Opening the link redeems nothing': 'Das Öffnen des Links löst nichts ein',
  'Your server calls verify': 'Ihr Server ruft verify auf',
  'The token arrives unchanged': 'Das Token kommt unverändert an',
  'The claim is redeemed once': 'Der Gutschein wird einmal eingelöst',
  'A second visit is refused': 'Ein zweiter Besuch wird abgelehnt',
  'Opening your link…': 'Ihr Link wird geöffnet …',
  'Not known: the service never opens pages on your computer or in a private network.':
    'Nicht bekannt: Der Dienst öffnet nie Seiten auf Ihrem Computer oder in einem privaten Netz.',
  'Not known: the service was restarted. Check the link again.':
    'Nicht bekannt: Der Dienst wurde neu gestartet. Prüfen Sie den Link noch einmal.',
  'The redirect has no URL that a browser can open.':
    'Die Weiterleitung hat keine Adresse, die ein Browser öffnen kann.',
  'After {count, plural, one {# redirect} other {# redirects}}: {failure}':
    'Nach {count, plural, one {# Weiterleitung} other {# Weiterleitungen}}: {failure}',
  'Open the link yourself. If the page is not public yet, continue in your browser: the other steps still work.':
    'Öffnen Sie den Link selbst. Wenn die Seite noch nicht öffentlich ist, machen Sie in Ihrem Browser weiter: Die anderen Schritte funktionieren trotzdem.',
  'Answer with a page that a browser without cookies can open.':
    'Antworten Sie mit einer Seite, die ein Browser ohne Cookies öffnen kann.',
  'Let the page open without signing in, for programs too. Customers come from email and chat, and can sign in later.':
    'Lassen Sie die Seite ohne Anmeldung öffnen, auch für Programme. Kunden kommen aus E-Mails und Chats und können sich später anmelden.',
  'Respond with 200 to a GET with any of your tokens, redeemed or not.':
    'Antworten Sie mit 200 auf ein GET mit jedem Ihrer Token, eingelöst oder nicht.',
  '{facts} The link redirects to another origin, {leftTo}.':
    '{facts} Der Link leitet zu einer anderen Herkunft weiter, {leftTo}.',
  '{facts} The link redirects to {leftTo}, without TLS. Browsers such as Chrome block this redirect when the claimant presses the button, so nothing opens.':
    '{facts} Der Link leitet zu {leftTo} weiter, ohne TLS. Browser wie Chrome blockieren diese Weiterleitung, wenn jemand auf den Knopf drückt; es öffnet sich also nichts.',
  'Use the final URL as the offer’s redemption link, or respond without the redirect.':
    'Verwenden Sie die endgültige Adresse als Einlöselink des Angebots, oder antworten Sie ohne die Weiterleitung.',
  'GET answered {status} after {tookMs} ms.': 'GET antwortete mit {status} nach {tookMs} ms.',
  'It followed {count, plural, one {# redirect} other {# redirects}} to {host}.':
    'Es folgte {count, plural, one {# Weiterleitung} other {# Weiterleitungen}} zu {host}.',
  '{host} has no TLS.': '{host} hat kein TLS.',
  'The connection used {protocol}.': 'Die Verbindung nutzte {protocol}.',
  'The connection used {protocol}, with a certificate valid until {day}.':
    'Die Verbindung nutzte {protocol} mit einem Zertifikat, das bis {day} gültig ist.',
  'A {method} request redeemed the claim. Mail filters, chat previews and virus scanners open links too, and would use up your customers’ claims.':
    'Eine {method}-Anfrage hat den Gutschein eingelöst. Auch E-Mail-Filter, Chat-Vorschauen und Virenscanner öffnen Links und würden die Gutscheine Ihrer Kunden verbrauchen.',
  'Show a button on GET, and redeem on the POST that the button sends.':
    'Zeigen Sie bei GET einen Knopf, und lösen Sie bei dem POST ein, das der Knopf sendet.',
  'Not known, because the page did not answer.': 'Nicht bekannt, weil die Seite nicht geantwortet hat.',
  'Neither HEAD nor GET redeemed the claim, so link scanners don’t either.':
    'Weder HEAD noch GET hat den Gutschein eingelöst, Link-Scanner tun es also auch nicht.',
  Verify: 'Prüfen',
  'Safe retries': 'Sichere Wiederholungen',
  '{delayMs} ms': '{delayMs} ms',
  '{seconds, number} s': '{seconds, number} s',
  'an unknown address': 'einer unbekannten Adresse',
  'A call without a known API key arrived from {ip}, {delay} after the page was opened. The response was {outcome}.':
    'Ein Aufruf ohne bekannten API-Schlüssel kam von {ip}, {delay} nach dem Öffnen der Seite. Die Antwort war {outcome}.',
  'A call with the {mode, select, test {test} other {live}} key “{name}” arrived from {ip}, {delay} after the page was opened. The response was {outcome}.':
    'Ein Aufruf mit dem {mode, select, test {Test} other {Live}}-Schlüssel „{name}“ kam von {ip}, {delay} nach dem Öffnen der Seite. Die Antwort war {outcome}.',
  '{describe} A live key does not find test claims. It is the right key for real claims.':
    '{describe} Ein Live-Schlüssel findet keine Test-Gutscheine. Für echte Gutscheine ist er der richtige.',
  'To see the other steps, use a test key for tokens that begin with clm_test_, or check a copy of the page that has a test key.':
    'Um die anderen Schritte zu sehen, verwenden Sie einen Test-Schlüssel für Token, die mit clm_test_ beginnen, oder prüfen Sie eine Kopie der Seite, die einen Test-Schlüssel hat.',
  'Waiting for a call from your server…': 'Warten auf einen Aufruf Ihres Servers …',
  'Open your link first.': 'Öffnen Sie zuerst Ihren Link.',
  'The page failed, and your request log has no call from it. It doesn’t contain calls with an unknown API key or to another URL.':
    'Die Seite ist fehlgeschlagen, und Ihr Anfrageprotokoll hat keinen Aufruf von ihr. Aufrufe mit einem unbekannten API-Schlüssel oder an eine andere Adresse enthält es nicht.',
  'Check your server’s log. 401 means the API key is missing, quoted or cut off; 404 unknown_path or a refused connection means the URL of verify is wrong.':
    'Sehen Sie im Protokoll Ihres Servers nach. 401 heißt, dass der API-Schlüssel fehlt, in Anführungszeichen steht oder abgeschnitten ist; 404 unknown_path oder eine abgelehnte Verbindung heißt, dass die Adresse von verify falsch ist.',
  'Your server did not call verify when the page was opened. That is fine if it does so after a click: open the link in your browser to check.':
    'Ihr Server hat verify nicht aufgerufen, als die Seite geöffnet wurde. Das ist in Ordnung, wenn er es nach einem Klick tut: Öffnen Sie den Link in Ihrem Browser, um das zu prüfen.',
  'Call verify with redeem: false when the page is opened, and show what the customer gets.':
    'Rufen Sie verify mit redeem: false auf, wenn die Seite geöffnet wird, und zeigen Sie, was der Kunde bekommt.',
  'Your server sent the token exactly as it is in the link.':
    'Ihr Server hat das Token genau so gesendet, wie es im Link steht.',
  'Known once your server calls verify.': 'Bekannt, sobald Ihr Server verify aufruft.',
  'Your server sent a different token from the one in the link. {what}':
    'Ihr Server hat ein anderes Token gesendet als das im Link. {what}',
  'Send the query parameter “{parameter}” as it is: don’t truncate it, decode it twice or change its case.':
    'Senden Sie den Parameter „{parameter}“ so, wie er ist: nicht kürzen, nicht zweimal dekodieren, Groß- und Kleinschreibung nicht ändern.',
  'Open your link, then press the button on your page.':
    'Öffnen Sie Ihren Link und drücken Sie dann den Knopf auf Ihrer Seite.',
  'Waiting for a call with redeem: true. Press the button on your page.':
    'Warten auf einen Aufruf mit redeem: true. Drücken Sie den Knopf auf Ihrer Seite.',
  'It was redeemed.': 'Er wurde eingelöst.',
  '{text} A second call with redeem: true arrived for the same visit and got already_redeemed.':
    '{text} Für denselben Besuch kam ein zweiter Aufruf mit redeem: true und erhielt already_redeemed.',
  'When a call is retried or the button is pressed twice, send the same Idempotency-Key, so that each call gets the response redeemed. Otherwise customers see an error for the offer they just redeemed.':
    'Senden Sie denselben Idempotency-Key, wenn ein Aufruf wiederholt oder der Knopf zweimal gedrückt wird, damit jeder Aufruf die Antwort redeemed erhält. Sonst sehen Kunden einen Fehler für das Angebot, das sie gerade eingelöst haben.',
  '{text} Nobody presses a button that fast, so a script or {tag} probably redeemed the claim. A link scanner that runs scripts would use up the claim.':
    '{text} So schnell drückt niemand einen Knopf, vermutlich hat also ein Skript oder {tag} den Gutschein eingelöst. Ein Link-Scanner, der Skripte ausführt, würde den Gutschein verbrauchen.',
  'Redeem only when the button on your page is pressed.':
    'Lösen Sie erst ein, wenn der Knopf auf Ihrer Seite gedrückt wird.',
  'After that, open the same link again.': 'Öffnen Sie danach denselben Link noch einmal.',
  'Open the same link again.': 'Öffnen Sie denselben Link noch einmal.',
  'The second visit sent the same Idempotency-Key as the first and got redeemed again.':
    'Der zweite Besuch hat denselben Idempotency-Key gesendet wie der erste und noch einmal redeemed erhalten.',
  'Derive the Idempotency-Key from the order, or from one attempt of one person, never from the token alone: otherwise everyone who opens the link gets the response redeemed.':
    'Leiten Sie den Idempotency-Key aus der Bestellung ab oder aus einem Versuch einer Person, nie nur aus dem Token: Sonst erhält jeder, der den Link öffnet, die Antwort redeemed.',
  'Waiting for another call from your server…': 'Warten auf einen weiteren Aufruf Ihres Servers …',
  'Your server got already_redeemed. Make sure that your page says so and does not apply the offer.':
    'Ihr Server hat already_redeemed erhalten. Achten Sie darauf, dass Ihre Seite das sagt und das Angebot nicht anwendet.',
  'Test mode': 'Testmodus',
  'That didn’t work': 'Das hat nicht funktioniert',
  'Check the test link': 'Test-Link prüfen',
  'Check the live link': 'Live-Link prüfen',
  'A link check opens your link with a test claim: first from this service, like a link scanner, then in your browser. Test claims are not counted, and only a test key finds them.':
    'Eine Link-Prüfung öffnet Ihren Link mit einem Test-Gutschein: zuerst von diesem Dienst aus wie ein Link-Scanner, dann in Ihrem Browser. Test-Gutscheine zählen nicht, und nur ein Test-Schlüssel findet sie.',
  'Started {time}.': 'Begonnen: {time}.',
  'Fix:': 'Lösung:',
  'Advice:': 'Empfehlung:',
  'The call in the request log': 'Der Aufruf im Anfrageprotokoll',
  'Open your link as a customer would. It has the token of a test claim.':
    'Öffnen Sie Ihren Link wie ein Kunde. Er hat das Token eines Test-Gutscheins.',
  'Open your link': 'Link öffnen',
  'Press the button on your page to redeem the claim.':
    'Drücken Sie den Knopf auf Ihrer Seite, um den Gutschein einzulösen.',
  'Open your link again': 'Link noch einmal öffnen',
  'The claim is redeemed. Open the same link again and press the button again: your page must refuse it now.':
    'Der Gutschein ist eingelöst. Öffnen Sie denselben Link noch einmal und drücken Sie den Knopf noch einmal: Ihre Seite muss ihn jetzt ablehnen.',
  'Open the same link again': 'Denselben Link noch einmal öffnen',
  'Opens an offer’s link with a test claim, from this service and in your browser, and shows what your page does with the token. <a>What it checks</a>':
    'Öffnet den Link eines Angebots mit einem Test-Gutschein, von diesem Dienst aus und in Ihrem Browser, und zeigt, was Ihre Seite mit dem Token macht. <a>Was geprüft wird</a>',
  'Your plan has no API keys, and offers with a shared code need no integration to check.':
    'Ihr Tarif hat keine API-Schlüssel, und bei Angeboten mit gemeinsamem Code gibt es keine Anbindung zu prüfen.',
  'You have no offer with a live redemption link or a test link to check yet.':
    'Sie haben noch kein Angebot mit einem Live-Einlöselink oder Test-Link, der geprüft werden kann.',
  'Go to your listings': 'Zu Ihren Einträgen',
  'Offers with a redemption link': 'Angebote mit Einlöselink',
  'Leads to': 'Führt zu',
  'Last checked': 'Zuletzt geprüft',
  'Compare the plans': 'Tarife vergleichen',
  'Test link': 'Test-Link',
  '{offer} · Link check': '{offer} · Link-Prüfung',
  // dashboard/requests
  'A fixed test token was sent with a live key. Only test keys know these tokens.':
    'Ein festes Test-Token wurde mit einem Live-Schlüssel gesendet. Nur Test-Schlüssel kennen diese Token.',
  'The API key': 'Der API-Schlüssel',
  'The API key “{keyName}”': 'Der API-Schlüssel „{keyName}“',
  '{key} is revoked.': '{key} ist widerrufen.',
  '{key} has expired.': '{key} ist abgelaufen.',
  'Roll it or create a new key, and put the new key on your server.':
    'Tauschen Sie ihn aus oder erstellen Sie einen neuen, und hinterlegen Sie den neuen auf Ihrem Server.',
  'A web page tried to call.': 'Eine Webseite hat versucht aufzurufen.',
  'Call from your server. Anyone can read an API key in a browser.':
    'Rufen Sie von Ihrem Server aus auf. Einen API-Schlüssel im Browser kann jeder lesen.',
  '(The body was invalid and was not recorded.)': '(Der Inhalt war ungültig und wurde nicht aufgezeichnet.)',
  '(The body was not read.)': '(Der Inhalt wurde nicht gelesen.)',
  '(The connection was closed without a response.)': '(Die Verbindung wurde ohne Antwort geschlossen.)',
  'The whole log': 'Das ganze Protokoll',
  'Last hour': 'Letzte Stunde',
  'Last 24 hours': 'Letzte 24 Stunden',
  'No calls failed in this period.': 'In diesem Zeitraum ist kein Aufruf fehlgeschlagen.',
  'over {count, number}': 'über {count, number}',
  First: 'Zuerst',
  Last: 'Zuletzt',
  'About {outcome}': 'Über {outcome}',
  Cause: 'Ursache',
  Calls: 'Aufrufe',
  'Failures by cause': 'Fehler nach Ursache',
  'All calls': 'Alle Aufrufe',
  Period: 'Zeitraum',
  'Your server has made no calls with a {mode, select, test {test} other {live}} key in the last {days, plural, one {# day} other {# days}}. Calls appear here once they are answered.':
    'Ihr Server hat in {days, plural, one {dem letzten Tag} other {den letzten # Tagen}} keine Aufrufe mit einem {mode, select, test {Test} other {Live}}-Schlüssel gesendet. Aufrufe erscheinen hier, sobald sie beantwortet sind.',
  'Your plan has no API keys, so there are no calls. Listings work with just a shared code.':
    'Ihr Tarif hat keine API-Schlüssel, deshalb gibt es keine Aufrufe. Einträge funktionieren auch nur mit einem gemeinsamen Code.',
  'Make the first call': 'Ersten Aufruf senden',
  'Show {mode, select, test {test} other {live}} calls':
    '{mode, select, test {Test} other {Live}}-Aufrufe anzeigen',
  'See the plans': 'Tarife ansehen',
  '{outcome} token {mono} · key “web server” · answered in 2 ms':
    '{outcome} Token {mono} · Schlüssel „Webserver“ · beantwortet in 2 ms',
  'Any error': 'Jeder Fehlercode',
  'Any failure': 'Jeder Fehler',
  'Any outcome': 'Jedes Ergebnis',
  'Error code': 'Fehlercode',
  'Any code': 'Jeder Code',
  'All keys': 'Alle Schlüssel',
  '{name} ({start}…, revoked)': '{name} ({start}…, widerrufen)',
  Until: 'Bis',
  'Any cause': 'Jede Ursache',
  'Matching calls': 'Passende Aufrufe',
  'No calls match.': 'Keine passenden Aufrufe.',
  '{count, plural, one {# call} other {# calls}}': '{count, plural, one {# Aufruf} other {# Aufrufe}}',
  'This page no longer adds new calls.': 'Diese Seite fügt keine neuen Aufrufe mehr hinzu.',
  'New calls appear here': 'Neue Aufrufe erscheinen hier',
  'Follow again': 'Wieder verfolgen',
  Refresh: 'Aktualisieren',
  'Follow live': 'Live verfolgen',
  Stop: 'Anhalten',
  'fixed token': 'festes Token',
  Time: 'Zeit',
  Outcome: 'Ergebnis',
  'Key and token': 'Schlüssel und Token',
  'no key': 'kein Schlüssel',
  'no token': 'kein Token',
  Latency: 'Latenz',
  unknown: 'unbekannt',
  From: 'Von',
  Failures: 'Fehler',
  'Call {requestId}': 'Aufruf {requestId}',
  'Calls from your server to verify and redeem claims, with the responses.':
    'Aufrufe Ihres Servers, um Gutscheine zu prüfen und einzulösen, mit den Antworten.',
  'Views of the request log': 'Ansichten des Anfrageprotokolls',
  '{calls, plural, one {# call was} other {# calls were}} not recorded, the last one on {time}, but they were answered as usual. <a>What is recorded</a>':
    '{calls, plural, one {# Aufruf wurde} other {# Aufrufe wurden}} nicht aufgezeichnet, zuletzt am {time}, aber wie üblich beantwortet. <a>Was aufgezeichnet wird</a>',
  'Calls are kept for {days, plural, one {# day} other {# days}}, at most the newest {calls, number} of each mode. Calls without an API key or with an unknown one are not listed, nor are calls answered with 500 or 503.':
    'Aufrufe werden {days, plural, one {# Tag} other {# Tage}} lang aufbewahrt, höchstens die neuesten {calls, number} je Modus. Aufrufe ohne oder mit unbekanntem API-Schlüssel stehen nicht hier, auch nicht die mit 500 oder 503 beantworteten.',
  '{milliseconds} ms': '{milliseconds} ms',
  'Call of {time}': 'Aufruf vom {time}',
  'Request and response': 'Anfrage und Antwort',
  'Of the API key, the token and the Idempotency-Key, the log stores only the parts shown here; of the API key and the token also hashes.':
    'Vom API-Schlüssel, vom Token und vom Idempotency-Key speichert das Protokoll nur die hier gezeigten Teile, von Schlüssel und Token auch Hashwerte.',
  'The response is reconstructed from the claim and the current texts of its offer.':
    'Die Antwort ist aus dem Gutschein und den aktuellen Texten seines Angebots rekonstruiert.',
  'Copy as curl': 'Als curl kopieren',
  'the command': 'den Befehl',
  'Fill in the key and the token in the first two lines. The command redeems nothing.':
    'Ergänzen Sie Schlüssel und Token in den ersten zwei Zeilen. Der Befehl löst nichts ein.',
  'The call': 'Der Aufruf',
  'About fixed tokens': 'Über feste Token',
  'It belongs to no claim. With a test key, the response is always the same.':
    'Es gehört zu keinem Gutschein. Mit einem Test-Schlüssel ist die Antwort immer dieselbe.',
  'All calls with this cause': 'Alle Aufrufe mit dieser Ursache',
  'About this error': 'Über diesen Fehler',
  'Sends the same key and token now, with {code}. Nothing is redeemed, and nothing is added to the log.':
    'Sendet denselben Schlüssel und dasselbe Token jetzt, mit {code}. Es wird nichts eingelöst und nichts protokolliert.',
  'This call cannot be sent again. {whyNot}':
    'Dieser Aufruf kann nicht noch einmal gesendet werden. {whyNot}',
  'Answered in {latency}': 'Beantwortet in {latency}',
  'Request id': 'Anfrage-ID',
  'the request id': 'die Anfrage-ID',
  'Answered in': 'Beantwortet in',
  'not measured': 'nicht gemessen',
  Token: 'Token',
  Request: 'Anfrage',
  Response: 'Antwort',
  'Send again': 'Noch einmal senden',
  // dashboard/webhooks
  'Send now': 'Jetzt senden',
  'Not sent': 'Nicht gesendet',
  Body: 'Inhalt',
  'the body': 'den Inhalt',
  Attempts: 'Versuche',
  'Not sent yet. Each request is listed here with its response.':
    'Noch nicht gesendet. Jede Anfrage steht hier mit ihrer Antwort.',
  'When the endpoint is enabled': 'Wenn der Endpunkt eingeschaltet ist',
  'Within seconds': 'In wenigen Sekunden',
  Duration: 'Dauer',
  '{tookMs} ms': '{tookMs} ms',
  'the response': 'die Antwort',
  'No body': 'Kein Inhalt',
  'The chat refused the message. If its URL was deleted there, create a new one and save it here.':
    'Der Chat hat die Nachricht abgelehnt. Wenn seine Adresse dort gelöscht wurde, erstellen Sie eine neue und speichern Sie sie hier.',
  'Your server refused the request. Usual causes: it uses the secret of another endpoint, or it verifies a body that was already parsed. If you no longer have the secret, roll it.':
    'Ihr Server hat die Anfrage abgelehnt. Übliche Ursachen: Er verwendet das Geheimnis eines anderen Endpunkts, oder er prüft einen Inhalt, der bereits geparst wurde. Wenn Sie das Geheimnis nicht mehr haben, tauschen Sie es aus.',
  'No response': 'Keine Antwort',
  'Answered {status}': 'Antwort {status}',
  'Next attempt': 'Nächster Versuch',
  Edit: 'Bearbeiten',
  'Send test event': 'Testereignis senden',
  'Disable the endpoint?': 'Den Endpunkt abschalten?',
  Disable: 'Abschalten',
  'Nothing is sent until you enable it again. No event is lost: you can then send what happened in between.':
    'Es wird nichts gesendet, bis Sie ihn wieder einschalten. Kein Ereignis geht verloren: Sie können dann senden, was dazwischen geschah.',
  'Delete the endpoint?': 'Den Endpunkt löschen?',
  'Delete endpoint': 'Endpunkt löschen',
  'Its deliveries are deleted too, and those that wait are never sent.':
    'Auch seine Zustellungen werden gelöscht, und wartende werden nie gesendet.',
  'Nothing to recover': 'Nichts nachzuholen',
  'No delivery of this period has failed.': 'In diesem Zeitraum ist keine Zustellung fehlgeschlagen.',
  '{count, plural, one {# delivery} other {# deliveries}} recovered':
    '{count, plural, one {# Zustellung} other {# Zustellungen}} nachgeholt',
  'Each is sent again now, with a new schedule.': 'Jede wird jetzt noch einmal gesendet, mit neuem Zeitplan.',
  'You disabled the endpoint.': 'Sie haben den Endpunkt abgeschaltet.',
  'The endpoint responded with 410 Gone.': 'Der Endpunkt hat mit 410 Gone geantwortet.',
  'Every request failed for five days.': 'Fünf Tage lang ist jede Anfrage fehlgeschlagen.',
  'Send them too': 'Auch senden',
  'No event is skipped.': 'Kein Ereignis wird ausgelassen.',
  'Skip them': 'Auslassen',
  'Only events from now on are sent.': 'Es werden nur Ereignisse ab jetzt gesendet.',
  'Enable the endpoint?': 'Den Endpunkt einschalten?',
  Enable: 'Einschalten',
  'Events while it was disabled': 'Ereignisse, während er abgeschaltet war',
  'Nothing is sent': 'Es wird nichts gesendet',
  '{reason} Events since {time} wait until you enable it.':
    '{reason} Ereignisse seit {time} warten, bis Sie ihn einschalten.',
  'This endpoint is failing': 'Dieser Endpunkt schlägt fehl',
  'Every request since {time} has failed. After five days the endpoint is disabled and you get an email.':
    'Seit {time} ist jede Anfrage fehlgeschlagen. Nach fünf Tagen wird der Endpunkt abgeschaltet, und Sie erhalten eine E-Mail.',
  'No deliveries yet. Each event is listed here with the endpoint’s response.':
    'Noch keine Zustellungen. Jedes Ereignis steht hier mit der Antwort des Endpunkts.',
  'No delivery has failed.': 'Keine Zustellung ist fehlgeschlagen.',
  'No delivery is waiting.': 'Keine Zustellung wartet.',
  'Newest deliveries': 'Neueste Zustellungen',
  'State of deliveries': 'Status der Zustellungen',
  Deliveries: 'Zustellungen',
  Event: 'Ereignis',
  'When enabled': 'Nach dem Einschalten',
  'Deliveries are kept for {days} days.': 'Zustellungen werden {days} Tage lang aufbewahrt.',
  'The last hour': 'Die letzte Stunde',
  'The last day': 'Der letzte Tag',
  'The last week': 'Die letzte Woche',
  'The last 30 days': 'Die letzten 30 Tage',
  'Recover failed…': 'Fehlgeschlagene nachholen …',
  'Recover failed deliveries?': 'Fehlgeschlagene Zustellungen nachholen?',
  'Sends all deliveries of this period again that have not succeeded, including those that wait for their next attempt.':
    'Sendet alle Zustellungen dieses Zeitraums noch einmal, die nicht erfolgreich waren, auch die, die auf den nächsten Versuch warten.',
  Secret: 'Geheimnis',
  'Old secret': 'Altes Geheimnis',
  'since {time}': 'seit {time}',
  'signs until {time}': 'signiert bis {time}',
  'Roll secret…': 'Geheimnis austauschen …',
  'Roll the secret?': 'Das Geheimnis austauschen?',
  'Roll secret': 'Geheimnis austauschen',
  'You get a new secret. For a day, every request is signed with the old one too, so that no event is refused while you update your servers.':
    'Sie erhalten ein neues Geheimnis. Einen Tag lang wird jede Anfrage auch mit dem alten signiert, damit kein Ereignis abgelehnt wird, während Sie Ihre Server aktualisieren.',
  'The secret that you rolled before stops working now.':
    'Das Geheimnis, das Sie davor ausgetauscht haben, gilt ab sofort nicht mehr.',
  Format: 'Format',
  Endpoint: 'Endpunkt',
  Events: 'Ereignisse',
  'An https URL on the public internet.': 'Eine https-Adresse im öffentlichen Internet.',
  'An https URL on the public internet or in a network that the operator allows.':
    'Eine https-Adresse im öffentlichen Internet oder in einem Netz, das der Betreiber erlaubt.',
  'An https URL. For development, http://localhost with a port works here too.':
    'Eine https-Adresse. Für die Entwicklung geht hier auch http://localhost mit einem Port.',
  'Your server, a workflow or a chat receives events from now on.':
    'Ihr Server, ein Workflow oder ein Chat erhält ab jetzt Ereignisse.',
  'Edit the endpoint': 'Endpunkt bearbeiten',
  'Waiting deliveries go to the new URL too. Events that you add are sent from now on.':
    'Auch wartende Zustellungen gehen an die neue Adresse. Ereignisse, die Sie hinzufügen, werden ab jetzt gesendet.',
  'From the URL': 'Nach der Adresse',
  '{hint} Redirects are not followed.': '{hint} Weiterleitungen wird nicht gefolgt.',
  'Leave it empty to keep {url}. Another one must be of {format} too.':
    'Leer lassen, um {url} zu behalten. Eine andere muss ebenfalls vom Format {format} sein.',
  'Your server gets signed JSON. A chat gets a sentence for each event, unsigned: anyone who knows its URL can post there, so the URL isn’t shown again.':
    'Ihr Server erhält signiertes JSON. Ein Chat erhält zu jedem Ereignis einen Satz, unsigniert: Wer die Adresse kennt, kann dort schreiben. Deshalb wird sie nicht noch einmal angezeigt.',
  'What it is for, such as “shop server”.': 'Wofür er ist, zum Beispiel „Shop-Server“.',
  'Endpoint added': 'Endpunkt hinzugefügt',
  'Secret rolled': 'Geheimnis ausgetauscht',
  'Events are sent to {host}.': 'Ereignisse werden an {host} gesendet.',
  'Save the secret now. It is shown only once':
    'Speichern Sie das Geheimnis jetzt. Es wird nur einmal angezeigt',
  'Your server verifies every request with it. If you lose it, roll it.':
    'Ihr Server prüft damit jede Anfrage. Wenn Sie es verlieren, tauschen Sie es aus.',
  'the secret': 'das Geheimnis',
  'The old secret works for another day': 'Das alte Geheimnis gilt noch einen Tag',
  'Until {time}, every request is signed with both secrets. Put the new one on all your servers by then.':
    'Bis {time} wird jede Anfrage mit beiden Geheimnissen signiert. Hinterlegen Sie das neue bis dahin auf allen Servern.',
  'Requests carry the headers {mono}, {mono2} and {mono3} of the <a>Standard Webhooks</a> specification. The <a2>documentation</a2> shows how to verify them.':
    'Anfragen tragen die Header {mono}, {mono2} und {mono3} der Spezifikation <a>Standard Webhooks</a>. Die <a2>Dokumentation</a2> zeigt, wie man sie prüft.',
  'Add endpoint': 'Endpunkt hinzufügen',
  'Add an endpoint': 'Endpunkt hinzufügen',
  'I have saved it': 'Ich habe ihn gespeichert',
  Description: 'Beschreibung',
  'Notify your server, a workflow or a chat of events on claims, reviews and API keys, in live and test mode.':
    'Benachrichtigen Sie Ihren Server, einen Workflow oder einen Chat über Gutscheine, Prüfungen und API-Schlüssel, im Live- und im Testmodus.',
  'An account has at most {count} endpoints. Delete one to add another.':
    'Ein Konto hat höchstens {count} Endpunkte. Löschen Sie einen, um einen anderen hinzuzufügen.',
  'No endpoints yet. Without one, your server learns of a claim only when it verifies it.':
    'Noch keine Endpunkte. Ohne einen erfährt Ihr Server erst beim Prüfen von einem Gutschein.',
  Endpoints: 'Endpunkte',
  'Last event': 'Letztes Ereignis',
  'None yet': 'Noch keines',
  '{count, plural, one {# event} other {# events}}': '{count, plural, one {# Ereignis} other {# Ereignisse}}',
  '{mono} is sent to {mono2}': '{mono} wird an {mono2} gesendet',
  'Edit an endpoint': 'Endpunkt bearbeiten',
  'Choose a period.': 'Wählen Sie einen Zeitraum.',
  'Endpoint secret': 'Geheimnis des Endpunkts',
  'Delivery of {type}': 'Zustellung von {type}',
  'Webhook {name}': 'Webhook {name}',
  // errors
  'The account of this key is on a plan that has no API keys.':
    'Das Konto dieses Schlüssels hat einen Tarif ohne API-Schlüssel.',
  'Ask the operator for a plan with API keys, under Settings → Plan.':
    'Bitten Sie den Betreiber unter Einstellungen → Tarif um einen Tarif mit API-Schlüsseln.',
  'The account of this key is suspended.': 'Das Konto dieses Schlüssels ist gesperrt.',
  'Ask the operator to restore the account. Claims already made stay redeemable afterwards.':
    'Bitten Sie den Betreiber, die Sperre aufzuheben. Bereits gesicherte Gutscheine bleiben danach einlösbar.',
  'The call came from a browser, so nothing was done.':
    'Der Aufruf kam von einem Browser, deshalb wurde nichts getan.',
  'Call the operation from your server, and roll the key: it was sent by a browser.':
    'Rufen Sie von Ihrem Server aus auf, und tauschen Sie den Schlüssel aus: Ein Browser hat ihn gesendet.',
  'The body is not declared as JSON.': 'Der Inhalt ist nicht als JSON gekennzeichnet.',
  'Send `Content-Type: application/json` and no Content-Encoding.':
    'Senden Sie `Content-Type: application/json` und kein Content-Encoding.',
  'This Idempotency-Key has already redeemed another token; nothing was redeemed now.':
    'Dieser Idempotency-Key hat bereits ein anderes Token eingelöst; jetzt wurde nichts eingelöst.',
  'Use one key per order, or a new one each time a person tries; never use the same key for two tokens.':
    'Verwenden Sie einen Key pro Bestellung oder bei jedem Versuch einer Person einen neuen; nie denselben für zwei Token.',
  'The API key sends faster than it may, so nothing was done.':
    'Der API-Schlüssel sendet schneller, als er darf, deshalb wurde nichts getan.',
  'Wait for the seconds that Retry-After names, then send the same request again.':
    'Warten Sie so viele Sekunden, wie Retry-After nennt, und senden Sie dieselbe Anfrage dann noch einmal.',
  // http
  'Create an {noun}': '{noun} erstellen',
  Expires: 'Läuft ab',
  'In 30 days': 'In 30 Tagen',
  'In 90 days': 'In 90 Tagen',
  'In a year': 'In einem Jahr',
  'Your new {noun}': 'Ihr neuer {noun}',
  'The key is {rolled, select, rolled {rolled} other {replaced}}':
    'Der Schlüssel ist {rolled, select, rolled {ausgetauscht} other {ersetzt}}',
  'It does not expire.': 'Er läuft nicht ab.',
  'It expires on {time}.': 'Er läuft am {time} ab.',
  'Save it now. It is shown once': 'Speichern Sie ihn jetzt. Er wird einmal angezeigt',
  'Only its hash is stored here. If you lose it, {roll, select, Roll {roll} other {replace}} the key.':
    'Hier ist nur sein Hashwert gespeichert. Wenn Sie ihn verlieren, {roll, select, Roll {tauschen Sie den Schlüssel aus} other {ersetzen Sie den Schlüssel}}.',
  'the {noun}': 'der {noun}',
  'Environment variables': 'Umgebungsvariablen',
  'Download {file}': '{file} herunterladen',
  'the lines of the file': 'die Zeilen der Datei',
  'The old key has ended': 'Der alte Schlüssel ist beendet',
  'Calls with it are refused from now on. Put the new key on your server.':
    'Aufrufe mit ihm werden ab jetzt abgelehnt. Hinterlegen Sie den neuen Schlüssel auf Ihrem Server.',
  'The old key works for a while': 'Der alte Schlüssel gilt noch eine Weile',
  'Until {time} both keys work. Put the new one on every server by then.':
    'Bis {time} gelten beide Schlüssel. Hinterlegen Sie den neuen bis dahin auf jedem Server.',
  'Create {noun}': '{noun} erstellen',
  // keys
  'revoke one first': 'widerrufen Sie zuerst einen',
  '{limit}; {advice}.': '{limit}; {advice}.',
  'Someone else has just {rolled, select, rolled {rolled} other {replaced}} or revoked the key. Check it, then try again.':
    'Jemand anderes hat den Schlüssel gerade {rolled, select, rolled {ausgetauscht} other {ersetzt}} oder widerrufen. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  'end the old key immediately, or revoke another one first':
    'beenden Sie den alten Schlüssel sofort oder widerrufen Sie zuerst einen anderen',
  'The old key is kept for one of {choices}; found {text}.':
    'Der alte Schlüssel gilt noch für eine dieser Zeiten: {choices}; gefunden: {text}.',
  'The key was already {rolled, select, rolled {rolled} other {replaced}}; the newer one has the id {id}.':
    'Der Schlüssel wurde bereits {rolled, select, rolled {ausgetauscht} other {ersetzt}}; der neuere hat die ID {id}.',
  'The key is {state, select, expired {expired} revoked {revoked} other {suspended}} and cannot be {rolled, select, rolled {rolled} other {replaced}}; create a new one.':
    'Der Schlüssel ist {state, select, expired {abgelaufen} revoked {widerrufen} other {gesperrt}} und kann nicht {rolled, select, rolled {ausgetauscht} other {ersetzt}} werden; erstellen Sie einen neuen.',
  'A scope is one of {scopes}; found {wrong}.': 'Eine Berechtigung ist eine von {scopes}; gefunden: {wrong}.',
  'An operator key needs a scope: {scopes}.': 'Ein Betreiberschlüssel braucht eine Berechtigung: {scopes}.',
  'The mode is "live" or "test"; found {text}.': 'Der Modus ist "live" oder "test"; gefunden: {text}.',
  'The name of the key': 'Der Name des Schlüssels',
  'The name of the operator key': 'Der Name des Betreiberschlüssels',
  'The lifetime of a key is a number of hours or days from 1h to 3650d, such as 24h or 90d; found {text}.':
    'Die Laufzeit eines Schlüssels ist eine Zahl von Stunden oder Tagen von 1h bis 3650d, zum Beispiel 24h oder 90d; gefunden: {text}.',
  'An account has at most {count} active API keys': 'Ein Konto hat höchstens {count} aktive API-Schlüssel',
  // link-checks
  'Check the link first.': 'Prüfen Sie zuerst den Link.',
  'The service is still opening the link. Wait until it has finished.':
    'Der Dienst öffnet den Link noch. Warten Sie, bis er fertig ist.',
  'This offer has no {kind, select, test {test} other {live}} link to check.':
    'Dieses Angebot hat keinen {kind, select, test {Test} other {Live}}-Link zum Prüfen.',
  'The service was stopped during the visit. Check the link again.':
    'Der Dienst wurde während des Besuchs angehalten. Prüfen Sie den Link noch einmal.',
  // network
  'No connection. Check that the host name is known, the port is open and TLS works.':
    'Keine Verbindung. Prüfen Sie, ob der Hostname bekannt ist, der Port offen ist und TLS funktioniert.',
  'The answer switches to another protocol.': 'Die Antwort wechselt zu einem anderen Protokoll.',
  'The connection was closed before an answer.': 'Die Verbindung wurde vor einer Antwort geschlossen.',
  // ui
  'It will look like {mono}': 'Er sieht so aus: {mono}',
  'No key is active': 'Kein Schlüssel ist aktiv',
  'Keys that have ended ({count})': 'Beendete Schlüssel ({count})',
  'Keys that have ended': 'Beendete Schlüssel',
  'That was sent twice': 'Das wurde zweimal gesendet',
  'The first submission created the key “{name}” and showed its secret. If you did not see it, {roll, select, Roll {roll} other {replace}} that key to get a new one.':
    'Die erste Sendung hat den Schlüssel „{name}“ erstellt und sein Geheimnis gezeigt. Wenn Sie es nicht gesehen haben, {roll, select, Roll {tauschen Sie diesen Schlüssel aus} other {ersetzen Sie diesen Schlüssel}}, um einen neuen zu erhalten.',
  'with its operator': 'mit seinem Betreiber',
  'until {time}': 'bis {time}',
  '{rolled, select, rolled {rolled} other {replaced}}, until {time}':
    '{rolled, select, rolled {ausgetauscht} other {ersetzt}}, bis {time}',
  '{rolled, select, rolled {rolled} other {replaced}}, {time}':
    '{rolled, select, rolled {ausgetauscht} other {ersetzt}}, {time}',
  '{roll, select, Roll {Roll} other {Replace}}… {name}':
    '{roll, select, Roll {Austauschen} other {Ersetzen}} … {name}',
  '{roll, select, Roll {Roll} other {Replace}} “{name}”?':
    '„{name}“ {roll, select, Roll {austauschen} other {ersetzen}}?',
  '{roll, select, Roll {Roll} other {Replace}} key':
    'Schlüssel {roll, select, Roll {austauschen} other {ersetzen}}',
  'You get a new key with the same {kept}. It is shown once.':
    'Sie erhalten einen neuen Schlüssel mit demselben {kept}. Er wird einmal angezeigt.',
  'When should the old key end?': 'Wann soll der alte Schlüssel enden?',
  'If it may have leaked. Calls fail until your server has the new key.':
    'Falls er bekannt geworden sein kann. Aufrufe schlagen fehl, bis Ihr Server den neuen Schlüssel hat.',
  'In an hour': 'In einer Stunde',
  'In a day': 'In einem Tag',
  'Leaves time to put the new key on every server.':
    'Lässt Zeit, den neuen Schlüssel auf jedem Server zu hinterlegen.',
  'In a week': 'In einer Woche',
  'Revoke… {name}': 'Widerrufen … {name}',
  'Revoke “{name}”?': '„{name}“ widerrufen?',
  'Revoke key': 'Schlüssel widerrufen',
  'Calls with {mono} will be refused immediately, and this can’t be undone. A server that still sends it {lost}.':
    'Aufrufe mit {mono} werden sofort abgelehnt, und das lässt sich nicht rückgängig machen. Ein Server, der ihn noch sendet, {lost}.',
  // webhooks
  'A claim was made on one of your offers': 'Jemand hat sich eines Ihrer Angebote gesichert',
  'Your server redeemed a claim': 'Ihr Server hat einen Gutschein eingelöst',
  'A listing was approved, or its suspension lifted':
    'Ein Eintrag wurde freigegeben oder seine Sperre aufgehoben',
  'The operator asked for changes to a listing': 'Der Betreiber bat um Änderungen an einem Eintrag',
  'A listing was rejected': 'Ein Eintrag wurde abgelehnt',
  'A listing was suspended': 'Ein Eintrag wurde gesperrt',
  'An offer was created or changed': 'Ein Angebot wurde erstellt oder geändert',
  'An API key was created': 'Ein API-Schlüssel wurde erstellt',
  'An API key was rolled': 'Ein API-Schlüssel wurde ausgetauscht',
  'An API key was revoked': 'Ein API-Schlüssel wurde widerrufen',
  'A browser sent an API key: roll it': 'Ein Browser hat einen API-Schlüssel gesendet: Tauschen Sie ihn aus',
  'Unknown event {unknown}.': 'Unbekanntes Ereignis {unknown}.',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'An account has at most {maxEndpoints} endpoints; delete one first.':
    'Ein Konto hat höchstens {maxEndpoints} Endpunkte; löschen Sie zuerst einen.',
  'This endpoint has no signing secret. Its URL is the secret.':
    'Dieser Endpunkt hat kein Signaturgeheimnis. Seine Adresse ist das Geheimnis.',
  'This secret was already rolled, and the new one was shown then.':
    'Dieses Geheimnis wurde bereits ausgetauscht, und das neue wurde dabei angezeigt.',
  'The address': 'Die Adresse',
  'This form was submitted before. The endpoint was added then, and its secret was shown. If you didn’t save it, roll the secret on the page of the endpoint.':
    'Dieses Formular wurde schon einmal gesendet. Dabei wurde der Endpunkt hinzugefügt und sein Geheimnis angezeigt. Wenn Sie es nicht gespeichert haben, tauschen Sie es auf der Seite des Endpunkts aus.',
  'Signed JSON': 'Signiertes JSON',
  'Choose a format.': 'Wählen Sie ein Format.',
  'This is a URL of {title}, which doesn’t take the format {format}.':
    'Das ist eine Adresse von {title}, die das Format {format} nicht annimmt.',
  'This delivery was attempted more than {maxAttemptsBeforeResend} times and cannot be sent again.':
    'Diese Zustellung wurde mehr als {maxAttemptsBeforeResend}-mal versucht und kann nicht noch einmal gesendet werden.',
  'The endpoint is disabled. Enable it first.': 'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',
  'No secret key of this service decrypts the URL; save it again.':
    'Kein geheimer Schlüssel dieses Dienstes entschlüsselt die Adresse; speichern Sie sie noch einmal.',
  'No secret key of this service decrypts the signing secret; roll the secret.':
    'Kein geheimer Schlüssel dieses Dienstes entschlüsselt das Signaturgeheimnis; tauschen Sie es aus.',
};
