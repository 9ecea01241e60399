/** Texts for owners about webhooks and link checks. */
export const INTEGRATIONS: Readonly<Record<string, string>> = {
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
  'Let everyone, including programs, open the page without signing in. Customers come from email and chat, and can sign in later.':
    'Lassen Sie die Seite ohne Anmeldung öffnen, auch für Programme. Kunden kommen aus E-Mails und Chats und können sich später anmelden.',
  'Respond with 200 to a GET request, whether or not the claim has been redeemed.':
    'Antworten Sie mit 200 auf ein GET mit jedem Ihrer Token, eingelöst oder nicht.',
  '{facts} The link redirects to another origin, {leftTo}.':
    '{facts} Der Link leitet zu einer anderen Herkunft weiter, {leftTo}.',
  '{facts} The link redirects to {leftTo}, without TLS. Browsers such as Chrome block this redirect when the claimant presses the button, so nothing opens.':
    '{facts} Der Link leitet zu {leftTo} weiter, ohne TLS. Browser wie Chrome blockieren diese Weiterleitung, wenn jemand auf den Knopf drückt; es öffnet sich also nichts.',
  'Use the final URL as the offer’s redemption link, or respond without the redirect.':
    'Verwenden Sie die endgültige Adresse als Einlöselink des Angebots, oder antworten Sie ohne die Weiterleitung.',
  'GET got {status} after {tookMs} ms.': 'GET antwortete mit {status} nach {tookMs} ms.',
  'It followed {count, plural, one {# redirect} other {# redirects}} to {host}.':
    'Es folgte {count, plural, one {# Weiterleitung} other {# Weiterleitungen}} zu {host}.',
  'The connection to {host} had no TLS.': '{host} hat kein TLS.',
  'The connection used {protocol}.': 'Die Verbindung nutzte {protocol}.',
  'The connection used {protocol}, with a certificate valid until {day}.':
    'Die Verbindung nutzte {protocol} mit einem Zertifikat, das bis {day} gültig ist.',
  'A {method} request redeemed the claim. Mail filters, chat previews and virus scanners open links too, and would use up your customers’ claims.':
    'Eine {method}-Anfrage hat den Gutschein eingelöst. Auch E-Mail-Filter, Chat-Vorschauen und Virenscanner öffnen Links und würden die Gutscheine Ihrer Kunden verbrauchen.',
  'Show a button on GET, and redeem on the POST that the button sends.':
    'Zeigen Sie bei GET einen Knopf, und lösen Sie bei dem POST ein, das der Knopf sendet.',
  'Not known, because the page did not answer.': 'Nicht bekannt, weil die Seite nicht geantwortet hat.',
  'Neither HEAD nor GET redeemed the claim, so link scanners won’t either.':
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
  'To see the other steps, use a test key for tokens that begin with clm_test_, or check a copy of the page whose server uses a test key.':
    'Um die anderen Schritte zu sehen, verwenden Sie einen Test-Schlüssel für Token, die mit clm_test_ beginnen, oder prüfen Sie eine Kopie der Seite, die einen Test-Schlüssel hat.',
  'Waiting for a call from your server…': 'Warten auf einen Aufruf Ihres Servers …',
  'Open your link first.': 'Öffnen Sie zuerst Ihren Link.',
  'The page failed, and your request log has no call from it. The log doesn’t contain calls with an unknown API key or to a different URL.':
    'Die Seite ist fehlgeschlagen, und Ihr Aufrufprotokoll hat keinen Aufruf von ihr. Aufrufe mit einem unbekannten API-Schlüssel oder an eine andere Adresse enthält es nicht.',
  'Check your server’s log. 401 means the API key is missing, is in quotation marks, or is cut off; 404 unknown_path or a refused connection means the URL of verify is wrong.':
    'Sehen Sie im Protokoll Ihres Servers nach. 401 heißt, dass der API-Schlüssel fehlt, in Anführungszeichen steht oder abgeschnitten ist; 404 unknown_path oder eine abgelehnte Verbindung heißt, dass die Adresse von verify falsch ist.',
  'Your server did not call verify when the page was opened. That is fine if your server calls verify after a click: open the link in your browser to check.':
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
  'The claim was redeemed.': 'Der Gutschein wurde eingelöst.',
  '{text} A second call with redeem: true arrived for the same visit and got already_redeemed.':
    '{text} Für denselben Besuch kam ein zweiter Aufruf mit redeem: true und erhielt already_redeemed.',
  'When a call is retried or the button is pressed twice, send the same Idempotency-Key, so that each call gets the status “redeemed” in its response. Otherwise, customers see an error for the offer they just redeemed.':
    'Senden Sie denselben Idempotency-Key, wenn ein Aufruf wiederholt oder der Knopf zweimal gedrückt wird, damit jeder Aufruf die Antwort redeemed erhält. Sonst sehen Kunden einen Fehler für das Angebot, das sie gerade eingelöst haben.',
  '{text} Nobody presses a button that soon after the page has loaded, so a script or {tag} probably redeemed the claim. A link scanner that runs scripts would use up the claim.':
    '{text} So kurz nach dem Laden der Seite drückt niemand einen Knopf, vermutlich hat also ein Skript oder {tag} den Gutschein eingelöst. Ein Link-Scanner, der Skripte ausführt, würde den Gutschein verbrauchen.',
  'Redeem only when the button on your page is pressed.':
    'Lösen Sie erst ein, wenn der Knopf auf Ihrer Seite gedrückt wird.',
  'Once the claim is redeemed, open the same link again.':
    'Öffnen Sie denselben Link noch einmal, sobald der Gutschein eingelöst ist.',
  'Open the same link again.': 'Öffnen Sie denselben Link noch einmal.',
  'The second visit sent the same Idempotency-Key as the first, so the response was “redeemed” again.':
    'Der zweite Besuch hat denselben Idempotency-Key gesendet wie der erste und noch einmal redeemed erhalten.',
  'Derive the Idempotency-Key from the order or from one person’s attempt, never from the token alone: otherwise everyone who opens the link gets the status “redeemed”.':
    'Leiten Sie den Idempotency-Key aus der Bestellung ab oder aus einem Versuch einer Person, nie nur aus dem Token: Sonst erhält jeder, der den Link öffnet, die Antwort redeemed.',
  'Waiting for another call from your server…': 'Warten auf einen weiteren Aufruf Ihres Servers …',
  'Your server got already_redeemed. Make sure that your page says so and does not apply the offer.':
    'Ihr Server hat already_redeemed erhalten. Achten Sie darauf, dass Ihre Seite das sagt und das Angebot nicht anwendet.',
  'Test mode': 'Testmodus',
  'That didn’t work': 'Das hat nicht funktioniert',
  'Check the test link': 'Test-Link prüfen',
  'Not checked yet': 'Noch nicht geprüft',
  'Steps 1 and 2 take a few seconds. For the other steps, you open the link in a new tab.':
    'Die Schritte 1 und 2 dauern einige Sekunden. Für die übrigen öffnen Sie danach den Link in einem neuen Tab.',
  'The service opens the link without signing in and expects a page.':
    'Der Dienst öffnet den Link und erwartet eine Seite, ohne sich anzumelden.',
  'After the service has opened the link, the claim is still unused.':
    'Nachdem der Dienst den Link geöffnet hat, ist der Gutschein noch nicht eingelöst.',
  'You open the link in your browser, and your server verifies the token with a test key.':
    'Sie öffnen den Link in Ihrem Browser, und Ihr Server fragt mit einem Test-Schlüssel nach dem Token.',
  'Your server sends exactly the token from the link.': 'Ihr Server sendet genau das Token aus dem Link.',
  'You press the button on your page, and your server redeems the claim.':
    'Sie drücken den Knopf auf Ihrer Seite, und Ihr Server löst den Gutschein ein.',
  'You open the same link again and press the button, and your page refuses the claim.':
    'Sie öffnen den Link und drücken den Knopf noch einmal, und Ihre Seite lehnt den Gutschein ab.',
  'Edit offer': 'Angebot bearbeiten',
  Check: 'Prüfen',
  'Check: {offer}': 'Prüfen: {offer}',
  'Check the live link': 'Live-Link prüfen',
  'A link check opens your link with a test claim: first from this service, like a link scanner, then in your browser. Test claims are not counted, and only a test key finds them.':
    'Eine Link-Prüfung öffnet Ihren Link mit einem Test-Gutschein: zuerst von diesem Dienst aus wie ein Link-Scanner, dann in Ihrem Browser. Test-Gutscheine zählen nicht, und nur ein Test-Schlüssel findet sie.',
  'Started {time}.': 'Begonnen: {time}.',
  'Fix:': 'Lösung:',
  'Advice:': 'Empfehlung:',
  'The request in the request log': 'Der Aufruf im Protokoll',
  'Open your link as a customer would. The link contains the token of a test claim.':
    'Öffnen Sie Ihren Link wie ein Kunde. Er hat das Token eines Test-Gutscheins.',
  'Open your link': 'Link öffnen',
  'Press the button on your page to redeem the claim.':
    'Drücken Sie den Knopf auf Ihrer Seite, um den Gutschein einzulösen.',
  'Open your link again': 'Link noch einmal öffnen',
  'The claim is redeemed. Open the same link again and press the button again: your page must refuse the claim now.':
    'Der Gutschein ist eingelöst. Öffnen Sie denselben Link noch einmal und drücken Sie den Knopf noch einmal: Ihre Seite muss ihn jetzt ablehnen.',
  'Open the same link again': 'Denselben Link noch einmal öffnen',
  'A link check opens an offer’s link with a test claim and shows what your page does with the token. <a>What it checks</a>':
    'Öffnet den Link eines Angebots mit einem Test-Gutschein und zeigt, was Ihre Seite mit dem Token macht. <a>Was geprüft wird</a>',
  'Your plan has no API keys, so there is no integration to check. Offers with a shared code work without an integration.':
    'Ihr Tarif hat keine API-Schlüssel, und bei Angeboten mit gemeinsamem Code gibt es keine Anbindung zu prüfen.',
  'You have no offer with a live redemption link or a test link yet.':
    'Sie haben noch kein Angebot mit einem Live-Einlöselink oder Test-Link, der geprüft werden kann.',
  'Go to your listings': 'Zu Ihren Einträgen',
  'Offers with a redemption link': 'Angebote mit Einlöselink',
  'Leads to': 'Führt zu',
  'Last checked': 'Zuletzt geprüft',
  'Compare the plans': 'Tarife vergleichen',
  'Test link': 'Test-Link',
  '{offer} · Link check': '{offer} · Link-Prüfung',
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
  '{tookMs} ms': '{tookMs} ms',
  'the response': 'die Antwort',
  'without a body': 'ohne Inhalt',
  'The body is indented here. The copy button copies it exactly as it is sent and signed. The event’s ID is in the header {header}.':
    'Zur Ansicht eingerückt; kopiert wird der Inhalt genau so, wie er gesendet und signiert wird. Die Ereignis-ID steht im Header {header}.',
  'the event ID': 'die Ereignis-ID',
  'The endpoint is disabled': 'Der Endpunkt ist abgeschaltet',
  'To send this delivery{again, select, yes { again} other {}}, enable <a>the endpoint</a>.':
    'Um diese Zustellung{again, select, yes { noch einmal} other {}} zu senden, schalten Sie <a>den Endpunkt</a> ein.',
  'delivery|About': 'Betrifft',
  'The URL redirects to {url}. Webhook requests don’t follow redirects: save the final URL in the endpoint.':
    'Die URL leitet auf {url} weiter. Webhook-Anfragen folgen keinen Weiterleitungen: Speichern Sie die endgültige URL im Endpunkt.',
  'The endpoint redirects': 'Der Endpunkt leitet weiter',
  'The endpoint asked to wait': 'Der Endpunkt bittet um eine Pause',
  'A response asked to wait, so requests resume on {time}.':
    'Eine Antwort hat um eine Pause gebeten. Die Anfragen werden am {time} fortgesetzt.',
  'Your server or the chat asked to wait. The endpoint’s queue waits for as long as the response says, and this attempt doesn’t count as a failure.':
    'Ihr Server oder der Chat hat um eine Pause gebeten. Die Warteschlange des Endpunkts pausiert so lange, wie die Antwort angibt, und dieser Versuch zählt nicht als Fehler.',
  'The chat refused the message. If the webhook URL was deleted in the chat, create a new URL there and save it in this endpoint.':
    'Der Chat hat die Nachricht abgelehnt. Wenn seine URL dort gelöscht wurde, erstellen Sie eine neue und speichern Sie sie hier.',
  'Your server refused the request. Usual causes: it uses the secret of another endpoint, or it verifies a body that was already parsed. If you no longer have the secret, roll it.':
    'Ihr Server hat die Anfrage abgelehnt. Übliche Ursachen: Er verwendet den Signaturschlüssel eines anderen Endpunkts, oder er prüft einen Inhalt, der bereits geparst wurde. Wenn Sie den Signaturschlüssel nicht mehr haben, tauschen Sie ihn aus.',
  'No response': 'Keine Antwort',
  'Next attempt': 'Nächster Versuch',
  Edit: 'Bearbeiten',
  'Send test event': 'Testereignis senden',
  'Disable the endpoint?': 'Den Endpunkt abschalten?',
  Disable: 'Abschalten',
  'Nothing is sent until you enable the endpoint again. You can then also send the events that it missed.':
    'Bis Sie ihn wieder einschalten, wird nichts gesendet. Kein Ereignis geht verloren: Verpasste können Sie dann nachsenden.',
  'Delete the endpoint?': 'Den Endpunkt löschen?',
  'Delete endpoint': 'Endpunkt löschen',
  'Delete endpoint…': 'Endpunkt löschen …',
  'Deleting the endpoint also deletes its deliveries and its secret.':
    'Mit dem Endpunkt werden auch seine Zustellungen und sein Signaturschlüssel gelöscht.',
  'The endpoint’s deliveries are deleted too. Waiting deliveries are never sent.':
    'Auch seine Zustellungen werden gelöscht, und ausstehende werden nie gesendet.',
  'Nothing to recover': 'Nichts nachzuholen',
  'Either no delivery failed in this period, or all failed deliveries have succeeded since.':
    'In diesem Zeitraum ist keine Zustellung fehlgeschlagen, oder alle waren später erfolgreich.',
  '{count, plural, one {# delivery} other {# deliveries}} recovered':
    '{count, plural, one {# Zustellung} other {# Zustellungen}} nachgeholt',
  'Sending has begun. If a request fails, it is retried on a new schedule.':
    'Jetzt wird noch einmal gesendet, mit einem neuen Zeitplan für Wiederholungen.',
  'You disabled the endpoint.': 'Sie haben den Endpunkt abgeschaltet.',
  'The endpoint responded with 410 Gone.': 'Der Endpunkt hat mit 410 Gone geantwortet.',
  'Every request failed for five days.': 'Fünf Tage lang ist jede Anfrage fehlgeschlagen.',
  'Someone who set its URL or secret lost their role in this account. Check that the URL is yours and roll the secret before you enable it.':
    'Wer die URL oder den Signaturschlüssel festgelegt hat, hat keine Rolle mehr in diesem Konto. Prüfen Sie, ob die URL Ihnen gehört, und tauschen Sie den Signaturschlüssel aus, bevor Sie den Endpunkt einschalten.',
  'Send them too': 'Auch senden',
  'No event is skipped.': 'Kein Ereignis wird ausgelassen.',
  'Skip them': 'Auslassen',
  'Only new events are sent.': 'Es werden nur Ereignisse ab jetzt gesendet.',
  'Enable the endpoint?': 'Den Endpunkt einschalten?',
  Enable: 'Einschalten',
  'Events that happened while the endpoint was disabled':
    'Ereignisse aus der Zeit, in der der Endpunkt abgeschaltet war',
  'Nothing is sent': 'Es wird nichts gesendet',
  '{reason} Events since {time} are held until you enable the endpoint.':
    '{reason} Ereignisse seit {time} stehen aus, bis Sie ihn einschalten.',
  'This endpoint is failing': 'Dieser Endpunkt schlägt fehl',
  'Every request since {time} has failed. After five days without a success, the endpoint is disabled and you get an email.':
    'Seit {time} ist jede Anfrage fehlgeschlagen. Nach fünf Tagen wird der Endpunkt abgeschaltet, und Sie erhalten eine E-Mail.',
  'No deliveries yet. Each event is listed here with the endpoint’s response.':
    'Noch keine Zustellungen. Jedes Ereignis steht hier mit der Antwort des Endpunkts.',
  'No delivery has failed.': 'Keine Zustellung ist fehlgeschlagen.',
  'No delivery is waiting.': 'Keine Zustellung steht aus.',
  'Newest deliveries': 'Neueste Zustellungen',
  'State of deliveries': 'Status der Zustellungen',
  Deliveries: 'Zustellungen',
  Event: 'Ereignis',
  'Deliveries are kept for {days} days.': 'Zustellungen werden {days} Tage lang aufbewahrt.',
  'The last hour': 'Die letzte Stunde',
  'The last day': 'Der letzte Tag',
  'The last week': 'Die letzte Woche',
  'The last 30 days': 'Die letzten 30 Tage',
  'Recover failed deliveries…': 'Fehlgeschlagene nachholen …',
  'Recover failed deliveries?': 'Fehlgeschlagene Zustellungen nachholen?',
  'Resends all deliveries that were created in this period, have failed at least once and have not succeeded since. This includes deliveries that are waiting for their next attempt.':
    'Sendet noch einmal, was in diesem Zeitraum fehlgeschlagen ist und seitdem nicht zugestellt wurde, auch was auf den nächsten Versuch wartet.',
  Secret: 'Signaturschlüssel',
  'Old secret': 'Alter Signaturschlüssel',
  'since {time}': 'seit {time}',
  'signs until {time}': 'signiert bis {time}',
  'Roll secret…': 'Signaturschlüssel austauschen …',
  'Roll the secret?': 'Den Signaturschlüssel austauschen?',
  'Roll secret': 'Signaturschlüssel austauschen',
  'You get a new secret. For a day, every request is signed with both the old and the new secret, so that no event is refused while you update your servers.':
    'Sie erhalten einen neuen Signaturschlüssel. Einen Tag lang wird jede Anfrage auch mit dem alten signiert, damit kein Ereignis abgelehnt wird, während Sie Ihre Server aktualisieren.',
  'The secret that you replaced last time stops working immediately.':
    'Der Schlüssel, den Sie davor ausgetauscht haben, gilt ab sofort nicht mehr.',
  Format: 'Format',
  Endpoint: 'Endpunkt',
  'Listings and offers': 'Einträge und Angebote',
  'For a chat, choose only events that its members should read. Each event becomes a message.':
    'In einem Chat ist jedes Ereignis eine Nachricht: Wählen Sie nur, was dort hingehört.',
  '{count} of {all}': '{count} von {all}',
  'next attempt {time}': 'nächster Versuch {time}',
  'when the endpoint is enabled': 'sobald der Endpunkt eingeschaltet ist',
  Events: 'Ereignisse',
  'An https URL on the public internet.': 'Eine https-URL im öffentlichen Internet.',
  'An https URL on the public internet or in a network that the operator allows.':
    'Eine https-URL im öffentlichen Internet oder in einem Netz, das der Betreiber erlaubt.',
  'An https URL. For development, http://localhost with a port works here too.':
    'Eine https-URL. Für die Entwicklung geht hier auch http://localhost mit einem Port.',
  'New events are sent to your server, a workflow or a chat.':
    'Neue Ereignisse gehen an Ihren Server, einen Workflow oder einen Chat.',
  'Edit endpoint': 'Endpunkt bearbeiten',
  'If you change the URL, waiting deliveries go to the new URL too. If you add event types, past events of these types are not sent.':
    'Wenn Sie die URL ändern, gehen auch ausstehende Zustellungen an die neue. Wenn Sie Ereignisarten hinzufügen, werden frühere Ereignisse dieser Arten nicht gesendet.',
  'Detect from the URL': 'An der URL erkennen',
  '{hint} Redirects are not followed.': '{hint} Keine Weiterleitungen.',
  'Leave this field empty to keep {url}. A new URL must also be a URL for {format}.':
    'Leer lassen, um {url} zu behalten. Eine neue URL muss ebenfalls vom Format {format} sein.',
  'For each event, a server gets signed JSON, and a chat gets a sentence. The URL of a chat is a secret, so it isn’t shown again.':
    'Ihr Server erhält signiertes JSON, ein Chat zu jedem Ereignis einen Satz. Die URL eines Chats ist geheim und wird deshalb nicht noch einmal angezeigt.',
  'What the endpoint is for, such as “shop server”.': 'Wofür der Endpunkt ist, zum Beispiel „Shop-Server“.',
  'Endpoint added': 'Endpunkt hinzugefügt',
  'Secret rolled': 'Signaturschlüssel ausgetauscht',
  'Events are sent to {host}.': 'Ereignisse werden an {host} gesendet.',
  'Save the secret now. It is shown only once':
    'Speichern Sie den Signaturschlüssel jetzt. Er wird nur einmal angezeigt',
  'Your server verifies every request with this secret. If you lose the secret, roll it.':
    'Ihr Server prüft damit jede Anfrage. Wenn Sie ihn verlieren, tauschen Sie ihn aus.',
  'the secret': 'den Signaturschlüssel',
  'The old secret works for another day': 'Der alte Signaturschlüssel gilt noch einen Tag',
  'Until {time}, every request is signed with both secrets. Put the new one on all your servers by then.':
    'Bis {time} wird jede Anfrage mit beiden Schlüsseln signiert. Hinterlegen Sie den neuen bis dahin auf allen Servern.',
  'Requests carry the headers {mono}, {mono2} and {mono3} of the <a>Standard Webhooks</a> specification. The <a2>documentation</a2> shows how to verify requests.':
    'Anfragen tragen die Header {mono}, {mono2} und {mono3} der Spezifikation <a>Standard Webhooks</a>. Die <a2>Dokumentation</a2> zeigt, wie man sie prüft.',
  'Add endpoint': 'Endpunkt hinzufügen',
  'I have saved it': 'Gespeichert, weiter',
  Description: 'Beschreibung',
  'Notify your server, a workflow or a chat about claims, listings and API keys, in live and test mode.':
    'Benachrichtigen Sie Ihren Server, einen Workflow oder einen Chat über Gutscheine, Einträge und API-Schlüssel, im Live- und im Testmodus.',
  'An account can have at most {count} endpoints. Delete one to add another.':
    'Ein Konto hat höchstens {count} Endpunkte. Löschen Sie einen, um einen anderen hinzuzufügen.',
  'No endpoints yet. Without an endpoint, your server isn’t notified of new claims.':
    'Noch kein Endpunkt. Ohne Endpunkt wird Ihr Server nicht über neue Gutscheine benachrichtigt.',
  Endpoints: 'Endpunkte',
  'Last delivery': 'Letzte Zustellung',
  'None yet': 'Noch keine',
  '{mono} is sent to {mono2}': '{mono} wird an {mono2} gesendet',
  'Choose a period.': 'Wählen Sie einen Zeitraum.',
  'Endpoint secret': 'Signaturschlüssel des Endpunkts',
  'Delivery of {type}': 'Zustellung von {type}',
  'Webhook {name}': 'Webhook {name}',
  // link-checks
  'Check the link first.': 'Prüfen Sie zuerst den Link.',
  'The service is still opening the link. Wait until it has finished.':
    'Der Dienst öffnet den Link noch. Warten Sie, bis er fertig ist.',
  'This offer has no {kind, select, test {test} other {live}} link to check.':
    'Dieses Angebot hat keinen {kind, select, test {Test} other {Live}}-Link zum Prüfen.',
  'The link redirects more than 5 times.': 'Der Link leitet mehr als fünfmal weiter.',
  'The service was stopped during the visit. Check the link again.':
    'Der Dienst wurde während des Besuchs angehalten. Prüfen Sie den Link noch einmal.',
  // network
  'No connection. Check that the host name resolves, the port is open and TLS works.':
    'Keine Verbindung. Prüfen Sie, ob der Hostname bekannt ist, der Port offen ist und TLS funktioniert.',
  'The response switches to another protocol.': 'Die Antwort wechselt zu einem anderen Protokoll.',
  'The connection was closed before the response was complete.':
    'Die Verbindung wurde vor einer Antwort geschlossen.',
  // ui
  'It will look like {mono}': 'Er sieht so aus: {mono}',
  'No key is active': 'Kein Schlüssel ist aktiv',
  'Revoked and expired keys ({count})': 'Nicht mehr gültige Schlüssel ({count})',
  'Revoked and expired keys': 'Nicht mehr gültige Schlüssel',
  'The form was sent twice': 'Das Formular wurde zweimal gesendet',
  'The first submission created the key “{name}” and showed its secret. If you did not see the secret, {roll, select, Roll {roll} other {replace}} that key to get a new secret.':
    'Die erste Sendung hat den Schlüssel „{name}“ erstellt und angezeigt. Wenn Sie ihn nicht gesehen haben, {roll, select, Roll {tauschen Sie diesen Schlüssel aus} other {ersetzen Sie diesen Schlüssel}}, um einen neuen zu erhalten.',
  'created {time}': 'erstellt am {time}',
  'until {time}': 'bis {time}',
  '{roll, select, Roll {rolled} other {replaced}}, until {time}':
    '{roll, select, Roll {ausgetauscht} other {ersetzt}}, bis {time}',
  '{roll, select, Roll {rolled} other {replaced}}, {time}':
    '{roll, select, Roll {ausgetauscht} other {ersetzt}}, {time}',
  '{roll, select, Roll {Roll} other {Replace}} key…': '{roll, select, Roll {Austauschen} other {Ersetzen}} …',
  '{roll, select, Roll {Roll} other {Replace}} key… {name}':
    '{roll, select, Roll {Austauschen} other {Ersetzen}} … {name}',
  '{roll, select, Roll {Roll} other {Replace}} “{name}”?':
    '„{name}“ {roll, select, Roll {austauschen} other {ersetzen}}?',
  '{roll, select, Roll {Roll} other {Replace}} key':
    'Schlüssel {roll, select, Roll {austauschen} other {ersetzen}}',
  'You get a new key with the same {kept}. The new key is shown once.':
    'Sie erhalten einen neuen Schlüssel mit demselben {kept}. Er wird nur einmal angezeigt.',
  'When should the old key stop working?': 'Wann soll der alte Schlüssel widerrufen werden?',
  'Choose this if the key may have leaked. Calls fail until your server has the new key.':
    'Falls ihn jemand anderes kennen könnte. Aufrufe schlagen fehl, bis Ihr Server den neuen hat.',
  'In an hour': 'In einer Stunde',
  'In a day': 'In einem Tag',
  'Leaves time to put the new key on every server.':
    'So bleibt Zeit, den neuen auf allen Servern zu hinterlegen.',
  'In a week': 'In einer Woche',
  'Revoke… {name}': 'Widerrufen … {name}',
  'Revoke “{name}”?': '„{name}“ widerrufen?',
  'Revoke key': 'Schlüssel widerrufen',
  'Calls with {mono} will be refused immediately, and this can’t be undone. A server that still uses this key {lost}.':
    'Aufrufe mit {mono} werden sofort abgelehnt, und das lässt sich nicht rückgängig machen. Ein Server, der ihn noch sendet, {lost}.',
  // webhooks
  'Claim made': 'Gutschein gesichert',
  'Claim redeemed': 'Gutschein eingelöst',
  'Listing approved, or its suspension lifted': 'Eintrag freigegeben oder Sperre aufgehoben',
  'Changes requested for a listing': 'Änderungen an einem Eintrag verlangt',
  'Listing rejected': 'Eintrag abgelehnt',
  'Listing suspended': 'Eintrag gesperrt',
  'Offer created or changed': 'Angebot erstellt oder geändert',
  'API key created': 'API-Schlüssel erstellt',
  'API key rolled': 'API-Schlüssel ausgetauscht',
  'API key revoked': 'API-Schlüssel widerrufen',
  'API key sent by a browser': 'API-Schlüssel von einem Browser gesendet',
  'Unknown event {unknown}.': 'Unbekanntes Ereignis {unknown}.',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'An account can have at most {maxEndpoints} endpoints; delete one first.':
    'Ein Konto hat höchstens {maxEndpoints} Endpunkte; löschen Sie zuerst einen.',
  'This endpoint has no signing secret. Its URL is the secret.':
    'Dieser Endpunkt hat keinen Signaturschlüssel. Seine URL ist geheim.',
  'This secret was already rolled. The new secret was shown after the roll.':
    'Dieser Signaturschlüssel wurde bereits ausgetauscht, und der neue wurde dabei angezeigt.',
  'The address': 'Die Adresse',
  'This form was already submitted, and the endpoint was added. If the endpoint has a signing secret that you didn’t save, roll the secret on the endpoint’s page.':
    'Dieses Formular wurde schon einmal gesendet und der Endpunkt dabei angelegt. Wenn er einen Signaturschlüssel hat, den Sie nicht gespeichert haben, tauschen Sie ihn auf der Seite des Endpunkts aus.',
  'Signed JSON': 'Signiertes JSON',
  'Choose a format.': 'Wählen Sie ein Format.',
  'This is a {title} URL, and {title} doesn’t accept the format {format}.':
    'Das ist eine Adresse von {title}, die das Format {format} nicht annimmt.',
  'This delivery was attempted more than {maxAttemptsBeforeResend} times and cannot be sent again.':
    'Diese Zustellung wurde mehr als {maxAttemptsBeforeResend}-mal versucht und kann nicht noch einmal gesendet werden.',
  'The endpoint is disabled. Enable it first.': 'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',
  'This service no longer has the secret key that encrypted the URL; save the URL again.':
    'Kein geheimer Schlüssel dieses Dienstes entschlüsselt die Adresse; speichern Sie sie noch einmal.',
  'This service no longer has the secret key that encrypted the signing secret; roll the signing secret.':
    'Kein geheimer Schlüssel dieses Dienstes entschlüsselt den Signaturschlüssel; tauschen Sie ihn aus.',
};
