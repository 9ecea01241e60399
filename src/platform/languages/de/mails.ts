export const MAILS: Readonly<Record<string, string>> = {
  // mail
  'Unsubscribe from these emails': 'Diese E-Mails abbestellen',
  Contact: 'Kontakt',
  'Legal notice': 'Impressum',
  Privacy: 'Datenschutz',
  // notices
  'Each claim you make, with a link to it': 'Jeden Gutschein, den Sie sich sichern, mit einem Link dazu',
  'mail about each claim you make': 'E-Mails über jeden Gutschein, den Sie sich sichern',
  'Claims that you haven’t used yet': 'Gutscheine, die Sie noch nicht genutzt haben',
  'reminders of unused claims': 'Erinnerungen an ungenutzte Gutscheine',
  'The operator’s decisions about your listings, links and requests, and changes that the operator makes to your listings':
    'Entscheidungen des Betreibers über Ihre Einträge, Links und Anfragen und seine Änderungen an Ihren Einträgen',
  'mail about the operator’s decisions and changes':
    'E-Mails über Entscheidungen und Änderungen des Betreibers',
  'Problems: an API key that a browser sent, or a disabled webhook endpoint':
    'Probleme: ein API-Schlüssel, den ein Browser gesendet hat, oder ein abgeschalteter Webhook-Endpunkt',
  'mail about problems with your API keys and webhook endpoints':
    'E-Mails über Probleme mit Ihren API-Schlüsseln und Webhook-Endpunkten',
  'Offers that run low on codes, end soon or are near their claim limit':
    'Angebote, deren Codes knapp werden, die bald enden oder fast ihr Limit erreicht haben',
  'mail about offers that are about to end or run out': 'E-Mails über Angebote, die bald enden oder ausgehen',
  'Your weekly numbers, on Mondays': 'Ihre Zahlen der Woche, montags',
  'your weekly numbers': 'Ihre Zahlen der Woche',
  'New items that need your decision, as soon as they arrive':
    'Neues, das auf Ihre Entscheidung wartet, sofort',
  'the immediate mail about new items that need your decision':
    'die sofortigen E-Mails darüber, was auf Ihre Entscheidung wartet',
  'All items that need your decision, once a day': 'Was auf Ihre Entscheidung wartet, einmal am Tag',
  'the daily mail about items that need your decision':
    'die tägliche E-Mail darüber, was auf Ihre Entscheidung wartet',
  'New owners': 'Neue Anbieter',
  'mail about new owners': 'E-Mails über neue Anbieter',
  'Problems with backups, disk, mail or jobs':
    'Probleme mit Sicherungen, Speicherplatz, E-Mail oder Hintergrundaufgaben',
  'mail about problems with backups, disk, mail or jobs':
    'E-Mails über Probleme mit Sicherungen, Speicherplatz, E-Mail oder Hintergrundaufgaben',
  'Open the listing': 'Eintrag öffnen',
  '{name} was submitted for review': '{name} wurde zur Prüfung eingereicht',
  '{name} is waiting for review. You’ll get an email with the decision.':
    '{name} wartet auf Prüfung. Sie erhalten eine E-Mail mit der Entscheidung.',
  '{name} is live again': '{name} ist wieder live',
  '{name} is live': '{name} ist live',
  'People can find {name} and claim its offers.':
    'Man kann {name} jetzt finden und sich die Angebote sichern.',
  'Open the public page': 'Öffentliche Seite öffnen',
  '{name} needs changes': '{name} braucht Änderungen',
  'The operator asks for changes before the listing goes live:':
    'Der Betreiber bittet um Änderungen, bevor der Eintrag live geht:',
  '{name} was rejected': '{name} wurde abgelehnt',
  'The operator rejected the listing:': 'Der Betreiber hat den Eintrag abgelehnt:',
  '{name} was suspended': '{name} wurde gesperrt',
  'The operator suspended the listing. Nobody can find it or claim its offers; existing claims can still be redeemed. The reason:':
    'Der Betreiber hat den Eintrag gesperrt. Niemand kann ihn finden oder sich seine Angebote sichern; vorhandene Gutscheine können weiterhin eingelöst werden. Die Begründung:',
  'The mail hasn’t gone out yet': 'Die E-Mail wurde noch nicht verschickt',
  'We’re trying again. If this takes too long, <operator>contact the operator</operator>.':
    'Wir versuchen es weiter. Wenn es zu lange dauert, <operator>wenden Sie sich an den Betreiber</operator>.',
  'The mail hasn’t gone out': 'Die E-Mail konnte nicht verschickt werden',
  'The mail server didn’t accept it. Check the address, send it again, or <operator>contact the operator</operator>.':
    'Der Mailserver hat sie nicht angenommen. Prüfen Sie die Adresse, senden Sie sie noch einmal, oder <operator>wenden Sie sich an den Betreiber</operator>.',
  'No reason was given.': 'Es wurde keine Begründung angegeben.',
  'Your changed texts are approved': 'Ihre geänderten Texte sind freigegeben',
  'The operator approved the changed texts of {name}.':
    'Der Betreiber hat die geänderten Texte von {name} freigegeben.',
  'Your changed texts were declined': 'Ihre geänderten Texte wurden abgelehnt',
  'The operator declined the changed texts of {name}. People still see the approved texts; new offers that weren’t approved are hidden. The reason:':
    'Der Betreiber hat die geänderten Texte von {name} abgelehnt. Zu sehen sind weiterhin die freigegebenen Texte; neue Angebote ohne Freigabe sind verborgen. Die Begründung:',
  'Your new link is live': 'Ihr neuer Link ist live',
  'The operator approved the new website address of {name}, and it is in use now.':
    'Der Betreiber hat die neue Website-Adresse von {name} freigegeben. Sie wird jetzt verwendet.',
  'The operator approved the new redemption link of “{offer}” ({name}), and it is in use now.':
    'Der Betreiber hat den neuen Einlöselink von „{offer}“ ({name}) freigegeben. Er wird jetzt verwendet.',
  'Your new link was declined': 'Ihr neuer Link wurde abgelehnt',
  'The operator declined the new website address of {name}. The old one stays in use. The reason:':
    'Der Betreiber hat die neue Website-Adresse von {name} abgelehnt. Die bisherige bleibt in Gebrauch. Die Begründung:',
  'The operator declined the new redemption link of “{offer}” ({name}). If the offer already had a live link, that link stays in use. The reason:':
    'Der Betreiber hat den neuen Einlöselink von „{offer}“ ({name}) abgelehnt. Hatte das Angebot schon einen Link, bleibt dieser in Gebrauch. Die Begründung:',
  'Your plan is now {plan}': 'Ihr Tarif ist jetzt {plan}',
  'The operator moved your account to the {plan} plan. It includes API keys, so your server can verify claims.':
    'Der Betreiber hat Ihr Konto auf den Tarif {plan} umgestellt. Er hat API-Schlüssel, Ihr Server kann also Gutscheine prüfen.',
  'The operator moved your account to the {plan} plan. It doesn’t include API keys. Your existing keys are refused until you have a plan with API keys.':
    'Der Betreiber hat Ihr Konto auf den Tarif {plan} umgestellt. Er hat keine API-Schlüssel: Vorhandene Schlüssel werden abgewiesen, bis Sie wieder einen Tarif mit Schlüsseln haben.',
  'Open your plan': 'Ihren Tarif öffnen',
  'You can publish now': 'Sie können jetzt veröffentlichen',
  'The operator allowed your account to publish.':
    'Der Betreiber hat Ihrem Konto das Veröffentlichen erlaubt.',
  'Publish an app': 'App veröffentlichen',
  'Your request to publish was declined': 'Ihre Bitte, veröffentlichen zu dürfen, wurde abgelehnt',
  'Your request for {plan} was declined': 'Ihre Anfrage nach {plan} wurde abgelehnt',
  'The operator declined your request. The reason:': 'Der Betreiber hat sie abgelehnt. Die Begründung:',
  'Open the dashboard': 'Dashboard öffnen',
  '“{offer}” ({name})': '„{offer}“ von {name}',
  'The operator created {what}': 'Der Betreiber hat {what} angelegt',
  'The operator changed {what}': 'Der Betreiber hat {what} geändert',
  'The operator of the marketplace created {what} for you.':
    'Der Betreiber des Marktplatzes hat {what} für Sie angelegt.',
  'The operator of the marketplace changed {what}. The change applies now.':
    'Der Betreiber des Marktplatzes hat {what} geändert. Die Änderung gilt ab jetzt.',
  'If something is wrong, correct it or ask the operator.':
    'Falls etwas nicht stimmt, korrigieren Sie es oder fragen Sie den Betreiber.',
  'Open your account': 'Ihr Konto öffnen',
  'Your new name is live': 'Ihr neuer Name ist live',
  'The operator approved your new name. Your listings show “{name}” now.':
    'Der Betreiber hat Ihren neuen Namen freigegeben. Ihre Einträge zeigen jetzt „{name}“.',
  'Your new name was declined': 'Ihr neuer Name wurde abgelehnt',
  'The operator declined the name “{name}”. Your listings keep the current one. The reason:':
    'Der Betreiber hat den Namen „{name}“ abgelehnt. Ihre Einträge behalten den jetzigen. Die Begründung:',
  'Your new pictures are live': 'Ihre neuen Bilder sind live',
  'The operator approved the new pictures of {name}.':
    'Der Betreiber hat die neuen Bilder von {name} freigegeben.',
  'Your new pictures were declined': 'Ihre neuen Bilder wurden abgelehnt',
  'The operator declined the new pictures of {name}. Any pictures that were already live stay in use. The reason:':
    'Der Betreiber hat die neuen Bilder von {name} abgelehnt. Bilder, die schon zu sehen waren, bleiben. Die Begründung:',
  'Your API key was sent by a browser': 'Ihr API-Schlüssel wurde von einem Browser gesendet',
  'A web page sent one of your API keys from a browser. Anyone who opens that page can read the key and redeem claims with it.':
    'Ein Browser hat einen Ihrer API-Schlüssel gesendet. Wer diese Seite öffnet, kann den Schlüssel lesen und damit Gutscheine einlösen.',
  'A page on {origin} sent one of your API keys from a browser. Anyone who opens that page can read the key and redeem claims with it.':
    'Ein Browser hat von {origin} aus einen Ihrer API-Schlüssel gesendet. Wer diese Seite öffnet, kann den Schlüssel lesen und damit Gutscheine einlösen.',
  'Roll the key, and call the API from your server only.':
    'Tauschen Sie den Schlüssel aus und rufen Sie die API nur von Ihrem Server aus auf.',
  'Open API keys': 'API-Schlüssel öffnen',
  'API keys of your account stop working': 'API-Schlüssel Ihres Kontos gelten bald nicht mehr',
  'A person who worked in your account has left or was suspended. {keys, plural, one {The API key} other {The # API keys}} that this person created or rolled {keys, plural, one {stops} other {stop}} working on {when}.':
    'Eine Person, die in Ihrem Konto gearbeitet hat, hat es verlassen oder wurde gesperrt. {keys, plural, one {Der API-Schlüssel, den diese Person erstellt oder ausgetauscht hat, gilt} other {Die # API-Schlüssel, die diese Person erstellt oder ausgetauscht hat, gelten}} ab {when} nicht mehr.',
  'Put new keys on your servers before then.': 'Hinterlegen Sie vorher neue Schlüssel auf Ihren Servern.',
  'We no longer send events to your webhook endpoint at {site}: the person who set its URL or secret no longer has a role in your account. Check the URL and roll the secret before you enable it.':
    'Wir senden keine Ereignisse mehr an Ihren Webhook-Endpunkt bei {site}: Die Person, die seine URL oder seinen Signaturschlüssel festgelegt hat, hat keine Rolle mehr in Ihrem Konto. Prüfen Sie die URL und tauschen Sie den Signaturschlüssel aus, bevor Sie den Endpunkt wieder einschalten.',
  'A webhook endpoint was disabled': 'Ein Webhook-Endpunkt wurde abgeschaltet',
  'We no longer send events to your webhook endpoint at {site}: it responded with 410 Gone.':
    'Wir senden keine Ereignisse mehr an Ihren Webhook-Endpunkt bei {site}: Er hat mit 410 Gone geantwortet.',
  'We no longer send events to your webhook endpoint at {site}: every request has failed for five days.':
    'Wir senden keine Ereignisse mehr an Ihren Webhook-Endpunkt bei {site}: Seit fünf Tagen ist jede Anfrage fehlgeschlagen.',
  'Nothing is lost. When the endpoint works again, enable it and choose whether to send the events that it missed.':
    'Nichts ist verloren. Sobald der Endpunkt wieder funktioniert, schalten Sie ihn ein und wählen Sie, ob die seitherigen Ereignisse gesendet werden.',
  'Open the endpoint': 'Endpunkt öffnen',
  'Open the offer': 'Angebot öffnen',
  '“{offer}” has no codes left': '„{offer}“ hat keine Codes mehr',
  '“{offer}” is running out of codes': 'Die Codes von „{offer}“ werden knapp',
  'All codes of “{offer}” ({listing}) have been given out. Codes that you add are available immediately.':
    'Alle Codes von „{offer}“ ({listing}) sind vergeben. Neue Codes gelten sofort.',
  '{left, plural, one {# code} other {# codes}} left for “{offer}” ({listing}).':
    'Noch {left, plural, one {# Code} other {# Codes}} für „{offer}“ ({listing}).',
  'Add codes': 'Codes hinzufügen',
  '“{offer}” ends soon': '„{offer}“ endet bald',
  '“{offer}” ({listing}) can be claimed until {end}. Existing claims can still be redeemed after that.':
    'Man kann sich „{offer}“ ({listing}) bis {end} sichern. Vorher gesicherte Gutscheine können danach eingelöst werden.',
  '“{offer}” has reached its claim limit': '„{offer}“ hat das Limit erreicht',
  '“{offer}” is near its claim limit': '„{offer}“ hat das Limit fast erreicht',
  '“{offer}” ({listing}): {claims, number} of {limit, plural, one {# claim} other {# claims}} made.':
    '„{offer}“ ({listing}): {claims, number} von {limit, plural, one {# Gutschein} other {# Gutscheinen}} vergeben.',
  'The offer is shown as ended. Raise the limit to take more claims.':
    'Man sieht, dass das Angebot vorbei ist. Erhöhen Sie das Limit, um weitere Gutscheine zu vergeben.',
  'At the limit, the offer is shown as ended. Raise the limit to take more claims.':
    'Ist das Limit erreicht, sieht man, dass das Angebot vorbei ist. Erhöhen Sie es, um weitere Gutscheine zu vergeben.',
  'Your week: {claims, plural, one {# claim} other {# claims}}, {redeemed, plural, one {# redemption} other {# redemptions}}':
    'Ihre Woche: {claims, plural, one {# Gutschein} other {# Gutscheine}}, {redeemed, plural, one {# Einlösung} other {# Einlösungen}}',
  'In the last seven days, people made {claims, plural, one {# claim} other {# claims}} on your offers and redeemed {redeemed, plural, one {# claim} other {# claims}}.':
    'In den letzten sieben Tagen wurden zu Ihren Angeboten {claims, plural, one {# Gutschein gesichert} other {# Gutscheine gesichert}} und {redeemed, plural, one {# Gutschein} other {# Gutscheine}} eingelöst.',
  '{waiting, plural, one {# item} other {# items}} to decide on':
    '{waiting, plural, one {# Entscheidung} other {# Entscheidungen}} zu treffen',
  '{waiting, number} items are waiting for your decision. The newest: {names}.':
    '{waiting, number} Vorgänge warten auf Ihre Entscheidung. Die neuesten betreffen {names}.',
  'Waiting for your decision: {names}.': 'Auf Ihre Entscheidung warten: {names}.',
  'Open the queue': 'Liste öffnen',
  'A new owner: {owner}': 'Neuer Anbieter: {owner}',
  '{name} is the first listing of {owner}.': '{name} ist der erste Eintrag von {owner}.',
  'Open the account': 'Konto öffnen',
  'Disk almost full': 'Speicherplatz fast voll',
  'The database accepts no writes': 'Die Datenbank nimmt keine Änderungen an',
  'Problem with {check}': 'Problem mit {check}',
  'Many sign-in emails are not used': 'Viele Anmelde-E-Mails werden nicht benutzt',
  '{unused, number} of {sent, number} sign-in and password emails of the last hour were not used. Somebody may be sending emails to strangers through your marketplace, so browsers must now solve a challenge before another email is sent. This stops automatically.':
    '{unused, number} von {sent, number} Anmelde- und Passwort-E-Mails der letzten Stunde wurden nicht benutzt. Vielleicht verschickt jemand über Ihren Marktplatz E-Mails an Fremde. Deshalb müssen Browser jetzt eine Rechenaufgabe lösen, bevor eine weitere E-Mail verschickt wird. Das endet automatisch.',
  'What to do': 'Was zu tun ist',
  'Open the system page': 'Systemseite öffnen',
  'You’ll get this email again in a week if the problem persists.':
    'Sie erhalten diese E-Mail in einer Woche noch einmal, wenn das Problem weiter besteht.',
  'Your claim: {offer}': 'Ihr Gutschein: {offer}',
  'You claimed “{offer}” from {listing}.': 'Sie haben sich „{offer}“ von {listing} gesichert.',
  'Enter this code at checkout on {shop}.': 'Geben Sie diesen Code an der Kasse von {shop} ein.',
  'Use it now': 'Jetzt nutzen',
  'The claim stays in your account. Sign in with this email address to see it.':
    'Der Gutschein bleibt in Ihrem Konto. Melden Sie sich mit dieser E-Mail-Adresse an, um ihn zu sehen.',
  'Not used yet: {offer}': 'Noch nicht genutzt: {offer}',
  'You claimed “{offer}” from {listing} and haven’t used it yet.':
    'Sie haben sich „{offer}“ von {listing} gesichert und noch nicht genutzt.',
  // desk/outbox
  'Test mail': 'Test-E-Mail',
  'Mail from {baseUrl} works. You sent this test from the Outbox page.':
    'Der E-Mail-Versand von {baseUrl} funktioniert. Sie haben diesen Test auf der Seite Outbox gesendet.',
};
