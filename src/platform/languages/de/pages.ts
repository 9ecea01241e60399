/** Texts of the sign-in pages, and texts that many pages share. */
export const PAGES: Readonly<Record<string, string>> = {
  // account/proof
  'Confirm it’s you': 'Identität bestätigen',
  'Then make your change. Nothing has been changed yet.':
    'Nehmen Sie danach Ihre Änderung vor. Noch wurde nichts geändert.',
  'Then continue where you left off.': 'Danach geht es dort weiter, wo Sie waren.',
  'Use a passkey': 'Passkey verwenden',
  'Your passkey needs JavaScript and a browser that supports passkeys.':
    'Ihr Passkey braucht JavaScript und einen Browser, der Passkeys unterstützt.',
  'Use {provider}': 'Mit {provider} bestätigen',
  'We’ll email you a code, just as when you sign in.':
    'Wir senden Ihnen einen Code per E-Mail, wie bei der Anmeldung.',
  'Email me a code': 'Code per E-Mail senden',
  'Then you can delete your account.': 'Danach können Sie Ihr Konto löschen.',
  'Then you can download your data.': 'Danach können Sie Ihre Daten herunterladen.',
  'Sign in again': 'Noch einmal anmelden',
  'With a password, you can confirm changes and sign in again. Request one here, then write to <operator>the operator</operator>, who will send you a link to set it.':
    'Mit einem Passwort können Sie Änderungen bestätigen und sich wieder anmelden. Fordern Sie es hier an und schreiben Sie dann dem <operator>Betreiber</operator>: Er schickt Ihnen einen Link, mit dem Sie es festlegen.',
  'Stay signed in until you have a password. Without one, you can’t sign in again.':
    'Bleiben Sie angemeldet, bis Sie ein Passwort haben. Ohne Passwort können Sie sich nicht wieder anmelden.',
  'Request a password': 'Passwort anfordern',
  'Back to your account': 'Zurück zum Konto',
  'Sign out': 'Abmelden',
  'The desk needs a second factor': 'Der Desk verlangt einen zweiten Faktor',
  'Operators of this service need more than a password to sign in. Setting up a second factor takes a minute.':
    'Betreiber dieses Dienstes brauchen für die Anmeldung mehr als ein Passwort. Das Einrichten dauert eine Minute.',
  'On your account page, set up an authenticator app or add a passkey. Then open the desk again.':
    'Richten Sie auf Ihrer Kontoseite eine Authenticator-App oder einen Passkey ein und öffnen Sie dann den Desk erneut.',
  'On your account page, set up an authenticator app. Then open the desk again.':
    'Richten Sie auf Ihrer Kontoseite eine Authenticator-App ein und öffnen Sie dann den Desk erneut.',
  'Open your account': 'Konto öffnen',
  'Not now': 'Nicht jetzt',
  // account/sign-in
  'Cookies are blocked': 'Cookies sind blockiert',
  'Connect your account': 'Ihr Konto verbinden',
  'One moment': 'Einen Moment',
  'Continue to {name} to sign in.': 'Weiter zur Anmeldung mit {name}.',
  'You’re not signed in': 'Sie sind nicht angemeldet',
  'Sign in and connect': 'Anmelden und verbinden',
  'Set a new password': 'Neues Passwort festlegen',
  'Back to sign-in': 'Zurück zur Anmeldung',
  'You can then sign in with {name}. Your account there must have the same email address as your account here.':
    'Danach können Sie sich mit {name} anmelden. Beide Konten müssen dieselbe E-Mail-Adresse haben.',
  'Connect with {name}': 'Mit {name} verbinden',
  'Sign in by link': 'Anmelden per Link',
  'Check your mail': 'Sehen Sie in Ihrem Postfach nach',
  Finished: 'Fertig',
  'We’ll email you a code. You don’t need a password.':
    'Wir senden Ihnen einen Code per E-Mail. Ein Passwort brauchen Sie nicht.',
  'This code no longer works here': 'Dieser Code gilt hier nicht mehr',
  'A code works for 10 minutes, and only in the browser that requested it. Ask for a new one.':
    'Codes gelten 10 Minuten lang in dem Browser, in dem sie angefordert wurden. Fordern Sie einen neuen an.',
  'Use a password or passkey': 'Passwort oder Passkey verwenden',
  'Use a password': 'Passwort verwenden',
  'Sign in with {providerName}': 'Mit {providerName} anmelden',
  'Your session has ended': 'Ihre Sitzung ist beendet',
  'Nothing has been changed. Sign in, then try again.':
    'Es wurde nichts geändert. Melden Sie sich an und versuchen Sie es dann noch einmal.',
  'Your new password is set. Sign in with it.':
    'Ihr neues Passwort ist festgelegt. Melden Sie sich damit an.',
  'Forgot your password?': 'Passwort vergessen?',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'No password? <a>Sign in with an emailed code</a>': 'Kein Passwort? <a>Mit E-Mail-Code anmelden</a>',
  'New here? <a>Sign up</a>': 'Neu hier? <a>Registrieren</a>',
  'Enter the code from our email to <strong>{email}</strong>, or open the link in it. The code and the link are valid for 10 minutes or until you use one of them.':
    'Geben Sie den Code aus unserer E-Mail an <strong>{email}</strong> ein oder öffnen Sie den Link darin. Beide gelten 10 Minuten lang oder bis Sie eines davon benutzen.',
  'We’ve sent another email. Codes from earlier emails still work until they expire.':
    'Wir haben eine weitere E-Mail gesendet. Codes aus früheren E-Mails gelten weiter, bis sie ablaufen.',
  'We didn’t send another email, because this address has already received several. Use the code from the last one, sent {time}.':
    'Wir haben keine weitere E-Mail gesendet, weil an diese Adresse schon mehrere gegangen sind. Verwenden Sie den Code aus der letzten, gesendet: {time}.',
  '8 digits, such as 1234 5678.': '8 Ziffern, zum Beispiel 1234 5678.',
  'Send it again': 'Erneut senden',
  'No mail? Check your spam folder, or <a>use another address</a>.':
    'Keine E-Mail? Sehen Sie im Spam-Ordner nach oder <a>verwenden Sie eine andere Adresse</a>.',
  'Finished in another window': 'In einem anderen Fenster abgeschlossen',
  'You can close this one.': 'Dieses Fenster können Sie schließen.',
  'You can’t be signed in, because this browser doesn’t keep cookies from {host}.':
    'Sie können nicht angemeldet werden, weil dieser Browser keine Cookies von {host} behält.',
  'Allow cookies for this site in your browser’s settings, or open the site in another browser: browsers inside apps often block cookies. Then sign in again.':
    'Erlauben Sie in den Einstellungen Ihres Browsers Cookies für diese Website oder öffnen Sie sie in einem anderen Browser: Browser innerhalb von Apps blockieren Cookies oft. Melden Sie sich dann noch einmal an.',
  'Enter a code to finish signing in.': 'Geben Sie einen Code ein, um die Anmeldung abzuschließen.',
  Back: 'Zurück',
  'One more click': 'Noch ein Klick',
  'The next page shows what this link does. Nothing happens until you choose.':
    'Auf der nächsten Seite steht, was dieser Link bewirkt. Vorher geschieht nichts.',
  'Did you ask for this link?': 'Haben Sie diesen Link angefordert?',
  'Switch to another account?': 'Zu einem anderen Konto wechseln?',
  'This link signs you in as {email}.': 'Dieser Link meldet Sie als {email} an.',
  'You are signed in as {other}. This link signs you in as {email} instead.':
    'Sie sind als {other} angemeldet. Dieser Link meldet Sie stattdessen als {email} an.',
  'If you didn’t ask for this link, close this page. Nothing has been changed.':
    'Wenn Sie diesen Link nicht angefordert haben, schließen Sie die Seite. Es wurde nichts geändert.',
  'If you didn’t ask for this link, close this page. Nothing has been claimed.':
    'Wenn Sie diesen Link nicht angefordert haben, schließen Sie die Seite. Es wurde kein Angebot gesichert.',
  'Stay signed in as {email}': 'Als {email} angemeldet bleiben',
  'Switch to {email}': 'Zu {email} wechseln',
  'Switch account and claim': 'Konto wechseln und Angebot sichern',
  'Sign in and claim': 'Anmelden und Angebot sichern',
  'Sign in without claiming': 'Nur anmelden',
  Request: 'Anfrage',
  'Claim “{offer}” from {listing}': '„{offer}“ von {listing} sichern',
  Requested: 'Angefordert',
  'In this browser': 'In diesem Browser',
  'In another browser or on another device': 'In einem anderen Browser oder auf einem anderen Gerät',
  'By the operator of this marketplace': 'Vom Betreiber dieses Marktplatzes',
  'In the link, the code comes after the #.': 'Im Link steht der Code hinter dem #.',
  'This link no longer works': 'Dieser Link gilt nicht mehr',
  'Sign in another way': 'Anders anmelden',
  'Confirm your new address': 'Neue Adresse bestätigen',
  'Set up': 'Einrichten',
  'One account to claim offers and to publish your own.':
    'Ein Konto für beides: Angebote sichern und eigene veröffentlichen.',
  'What is stored and why': 'Was gespeichert wird und warum',
  'Have an account? <a>Sign in</a>': 'Schon ein Konto? <a>Anmelden</a>',
  'Enter the address you sign in with, and we’ll send a link to it.':
    'Geben Sie die Adresse ein, mit der Sie sich anmelden. Wir senden einen Link dorthin.',
  'Enter the address you sign in with. Then write to <operator>the operator</operator>, who will send you a link.':
    'Geben Sie Ihre Adresse ein. Schreiben Sie dann dem <operator>Betreiber</operator>: Er schickt Ihnen einen Link.',
  'Send link': 'Link senden',
  'Request a new password': 'Neues Passwort anfordern',
  'If an account has this address, we’re sending a link and a code to it. They expire in an hour, and you can use only one of them.':
    'Wenn ein Konto diese Adresse hat, senden wir einen Link und einen Code dorthin. Sie gelten eine Stunde lang, und nur einer von beiden kann verwendet werden.',
  'Now write to the operator': 'Schreiben Sie jetzt dem Betreiber',
  '<operator>The operator of this marketplace</operator> now has a link for you, which works for an hour. Write to them, and they’ll send it to you.':
    '<operator>Beim Betreiber dieses Marktplatzes</operator> liegt jetzt ein Link für Sie, der eine Stunde lang gilt. Schreiben Sie ihm, dann schickt er ihn Ihnen.',
  'If an account has this address, <operator>the operator of this marketplace</operator> now has a link that works for an hour. Write to them, and they’ll send it to you.':
    'Wenn ein Konto diese Adresse hat, liegt <operator>beim Betreiber dieses Marktplatzes</operator> jetzt ein Link, der eine Stunde lang gilt. Schreiben Sie ihm, dann schickt er ihn Ihnen.',
  'Enter the code': 'Code eingeben',
  'Earlier access has ended': 'Frühere Zugänge wurden beendet',
  'You are the first person to confirm this account’s email address. Somebody else may have used the account before, so the following access has ended:':
    'Sie bestätigen die E-Mail-Adresse dieses Kontos als erste Person. Vorher kann jemand anders das Konto benutzt haben. Deshalb wurden diese Zugänge beendet:',
  'the password': 'das Passwort',
  '{count, plural, one {# passkey} other {# passkeys}}':
    '{count, plural, one {# Passkey} other {# Passkeys}}',
  'the second factor and its backup codes': 'der zweite Faktor und seine Ersatzcodes',
  '{count, plural, one {# connected identity} other {# connected identities}}':
    '{count, plural, one {# verbundene Identität} other {# verbundene Identitäten}}',
  '{count, plural, one {# session} other {# sessions}}':
    '{count, plural, one {# Anmeldung} other {# Anmeldungen}}',
  '{count, plural, one {# member} other {# members}}':
    '{count, plural, one {# Mitglied} other {# Mitglieder}}',
  '{count, plural, one {# open invitation} other {# open invitations}}':
    '{count, plural, one {# offene Einladung} other {# offene Einladungen}}',
  '{count, plural, one {the role in # other account} other {the roles in # other accounts}}':
    '{count, plural, one {die Rolle in # anderen Konto} other {die Rollen in # anderen Konten}}',
  '{count, plural, one {# API key} other {# API keys}}':
    '{count, plural, one {# API-Schlüssel} other {# API-Schlüssel}}',
  '{count, plural, one {# webhook endpoint (paused)} other {# webhook endpoints (paused)}}':
    '{count, plural, one {# Webhook-Endpunkt (angehalten)} other {# Webhook-Endpunkte (angehalten)}}',
  'Listings, offers and claims are kept. If you set up any of this access yourself, set it up again.':
    'Einträge, Angebote und Gutscheine bleiben erhalten. Was Sie davon selbst eingerichtet haben, richten Sie bitte neu ein.',
  'Your session has ended. Nothing was changed. Sign in again.':
    'Ihre Anmeldung ist beendet. Es wurde nichts geändert. Melden Sie sich wieder an.',
  'This confirms your email address': 'Damit bestätigen Sie Ihre E-Mail-Adresse',
  'All other access to this account then ends: the password, passkeys, second factor, other sessions, members, invitations, API keys and webhooks.':
    'Alle anderen Zugänge zu diesem Konto enden dann: Passwort, Passkeys, zweiter Faktor, andere Anmeldungen, Mitglieder, Einladungen, API-Schlüssel und Webhooks.',
  'The next page names the account.': 'Die nächste Seite nennt das Konto.',
  'This link belongs to another account': 'Dieser Link gehört zu einem anderen Konto',
  'You are signed in as {other}. If you didn’t ask for this link, close this page.':
    'Sie sind als {other} angemeldet. Wenn Sie diesen Link nicht angefordert haben, schließen Sie die Seite.',
  'This signs you out everywhere.': 'Damit werden Sie überall abgemeldet.',
  'Set password': 'Passwort festlegen',
  'From the mail or link that you got, for example K7QX3-M9TRB. The link fills in the code.':
    'Aus der E-Mail oder dem Link, den Sie erhalten haben, zum Beispiel K7QX3-M9TRB. Der Link füllt das Feld aus.',
  'Set up {name}': '{name} einrichten',
  'This makes you the operator. Operators approve listings, set plans and run the service.':
    'Damit werden Sie Betreiber. Betreiber geben Einträge frei, legen Tarife fest und führen den Dienst.',
  'Become the operator': 'Betreiber werden',
  'The setup link in the terminal fills in the code. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new link.':
    'Der Einrichtungslink im Terminal füllt das Feld aus. Der Link steht auch in der Datei setup-link im Datenordner. Er gilt 30 Minuten lang; ein Neustart erzeugt einen neuen.',
  'Your name': 'Ihr Name',
  'Already set up': 'Bereits eingerichtet',
  'This service already has an operator.': 'Dieser Dienst hat bereits einen Betreiber.',
  'This service already has an operator. Sign in instead.':
    'Dieser Dienst hat bereits einen Betreiber. Melden Sie sich stattdessen an.',
  'An account with this email address already exists. Use another address.':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Nehmen Sie eine andere.',
  Marketplace: 'Marktplatz',
  'Sign in to the account whose email address you are changing. We’ll keep the code for you.':
    'Melden Sie sich bei dem Konto an, dessen E-Mail-Adresse Sie ändern. Der Code bleibt für Sie gespeichert.',
  'You are signed in as {email}. When you enter the code, this account gets the new address.':
    'Sie sind als {email} angemeldet. Sobald Sie den Code eingeben, erhält dieses Konto die neue Adresse.',
  Confirm: 'Bestätigen',
  'From the mail to the new address, for example K7QX3-M9TRB. The link in the mail fills in the code.':
    'Aus der E-Mail an die neue Adresse, zum Beispiel K7QX3-M9TRB. Der Link in der E-Mail füllt das Feld aus.',
  // app
  'Your account has made {attempts, number} changes within an hour, which is the limit. Nothing was changed. Try again in {wait}.':
    'In Ihrem Konto wurden innerhalb einer Stunde {attempts, number} Änderungen vorgenommen, mehr sind nicht möglich. Es wurde nichts geändert. Versuchen Sie es in {wait} noch einmal.',
  'Your account has made {attempts, number} changes within a day, which is the limit. Nothing was changed. Try again in {wait}.':
    'In Ihrem Konto wurden innerhalb eines Tages {attempts, number} Änderungen vorgenommen, mehr sind nicht möglich. Es wurde nichts geändert. Versuchen Sie es in {wait} noch einmal.',
  // dashboard/webhooks
  'Your account has submitted 60 URLs within an hour. Try again in {wait}.':
    'Ihr Konto hat innerhalb einer Stunde 60 URLs gesendet. Versuchen Sie es in {wait} noch einmal.',
  // errors.ts
  'The disk of this service is nearly full, so nothing was changed. Redemptions still work; the operator must free space.':
    'Der Speicherplatz dieses Dienstes ist fast voll, deshalb wurde nichts geändert. Einlösungen gehen weiter; der Betreiber muss Platz schaffen.',
  // http/pages
  'Page not found': 'Seite nicht gefunden',
  'Invalid request': 'Ungültige Anfrage',
  'Request from elsewhere': 'Anfrage von anderswo',
  'Form too large': 'Formular zu groß',
  'Not a form': 'Kein Formular',
  'Request too slow': 'Anfrage zu langsam',
  'Too many requests': 'Zu viele Anfragen',
  Unavailable: 'Nicht verfügbar',
  'Internal error': 'Interner Fehler',
  'Go to the marketplace': 'Zum Marktplatz',
  'The service cannot answer right now. What you typed is still here: send it again in a moment.':
    'Der Dienst kann gerade nicht antworten. Ihre Eingaben sind noch da: Senden Sie sie gleich noch einmal ab.',
  'If it happens again, give <operator>the operator</operator> this request ID: <code>{number}</code>':
    'Falls es wieder geschieht, nennen Sie <operator>dem Betreiber</operator> diese Anfrage-ID: <code>{number}</code>',
  'There is no page at this address, or you don’t have access to it.':
    'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
  'Something went wrong here. What you sent may or may not have been saved. Before you send it again, check whether it was saved.':
    'Hier ist etwas schiefgegangen. Vielleicht wurde gespeichert, was Sie gesendet haben, vielleicht nicht: Prüfen Sie das, bevor Sie es noch einmal senden.',
  'The service cannot answer right now. Nothing is lost; reload the page in a moment.':
    'Der Dienst kann gerade nicht antworten. Nichts ist verloren; laden Sie die Seite gleich noch einmal.',
  'You are now working in another account': 'Sie arbeiten jetzt in einem anderen Konto',
  'You are signed in to another account': 'Sie sind in einem anderen Konto angemeldet',
  'This page keeps what you typed. To save it in the account that you opened the form in, switch to that account in another tab, then come back here and send it again.':
    'Diese Seite behält Ihre Eingaben. Um sie in dem Konto zu speichern, in dem Sie das Formular geöffnet haben, wechseln Sie in einem anderen Tab zu diesem Konto, kommen hierher zurück und senden es noch einmal ab.',
  'This page keeps what you typed. To save it in the account that you opened the form in, sign in to that account in another tab, then come back here and send it again.':
    'Diese Seite behält Ihre Eingaben. Um sie in dem Konto zu speichern, in dem Sie das Formular geöffnet haben, melden Sie sich in einem anderen Tab in diesem Konto an, kommen hierher zurück und senden es noch einmal ab.',
  'Send it to {place}': 'An {place} senden',
  'Send it as {name}': 'Als {name} senden',
  'This form was opened in another account, and you are now working in the account {place}. Nothing has been changed.':
    'Dieses Formular wurde in einem anderen Konto geöffnet, und Sie arbeiten jetzt im Konto {place}. Es wurde nichts geändert.',
  'This form was opened in another account, and this browser is now signed in as {name} ({email}). Nothing has been changed.':
    'Dieses Formular wurde in einem anderen Konto geöffnet, und dieser Browser ist jetzt als {name} ({email}) angemeldet. Es wurde nichts geändert.',
  'Your session has ended. Nothing has been changed yet, and this page keeps what you typed.':
    'Ihre Sitzung ist beendet. Noch wurde nichts geändert, und diese Seite behält Ihre Eingaben.',
  'Confirm it’s you to continue. Nothing has been changed yet, and this page keeps what you typed.':
    'Bestätigen Sie Ihre Identität, um fortzufahren. Noch wurde nichts geändert, und diese Seite behält Ihre Eingaben.',
  '“{label}” opens a new tab. When you are done there, come back here and send the form.':
    '„{label}“ öffnet einen neuen Tab. Kommen Sie danach hierher zurück und senden Sie das Formular ab.',
  'Send form': 'Formular absenden',
  'The address contains the character U+0000.': 'Die Adresse enthält das Zeichen U+0000.',
  'The request did not come from a page of this service, so nothing was changed.':
    'Die Anfrage kam nicht von einer Seite dieses Dienstes, deshalb wurde nichts geändert.',
  'Confirm it’s you to continue. Nothing has been changed yet.':
    'Bestätigen Sie Ihre Identität, um fortzufahren. Noch wurde nichts geändert.',
  'There is nothing at this address.': 'Unter dieser Adresse ist nichts.',
  'A form must be sent as application/x-www-form-urlencoded.':
    'Ein Formular muss als application/x-www-form-urlencoded gesendet werden.',
  'The form is larger than {limit} KiB.': 'Das Formular ist größer als {limit} KiB.',
  'The form contains the character U+0000.': 'Das Formular enthält das Zeichen U+0000.',
  // text
  '{what} contains the invisible character {character}, which changes the text direction. Delete it or type the text again. Without it, the text is still shown in the correct direction.':
    '{what} enthält das unsichtbare Zeichen {character}, das die Schreibrichtung ändert. Löschen Sie es oder tippen Sie den Text neu. Auch ohne das Zeichen wird er in der richtigen Richtung angezeigt.',
  '{what} contains the control character {character}.': '{what} enthält das Steuerzeichen {character}.',
  '{what} contains invalid Unicode (a lone surrogate).':
    '{what} enthält ungültiges Unicode (ein einzelnes Surrogat).',
  '{what} is empty.': '{what} ist leer.',
  'This field has {length, number} characters; at most {max, number} are allowed.':
    'Dieses Feld hat {length, number} Zeichen; höchstens {max, number} sind erlaubt.',
  'The address has a query of {length, number} characters; at most {max, number} are allowed.':
    'Die Parameter der Adresse haben {length, number} Zeichen; höchstens {max, number} sind erlaubt.',
  'The form has more than {limit, number} fields.': 'Das Formular hat mehr als {limit, number} Felder.',
  '{what} has {length, plural, one {# character} other {# characters}}; at most {maxLength, number} are allowed.':
    '{what} hat {length, plural, one {# Zeichen} other {# Zeichen}}; höchstens {maxLength, number} sind erlaubt.',
  // ui
  'Account:': 'Konto:',
  'All accounts': 'Alle Konten',
  '(another site)': '(andere Website)',
  Copied: 'Kopiert',
  'Not allowed': 'Nicht erlaubt',
  Copy: 'Kopieren',
  Terms: 'AGB',
  Differences: 'Unterschiede',
  Field: 'Feld',
  nothing: 'nichts',
  '(optional)': '(optional)',
  'Hide password': 'Passwort verbergen',
  'Show password': 'Passwort anzeigen',
  Clear: 'Leeren',
  Show: 'Anzeigen',
  Filter: 'Filtern',
  Results: 'Ergebnisse',
  'That did not work': 'Das hat nicht funktioniert',
  '{count, plural, one {Please check this field} other {Please check these fields}}':
    '{count, plural, one {Bitte prüfen Sie dieses Feld} other {Bitte prüfen Sie diese Felder}}',
  Now: 'Sofort',
  'In 24 hours': 'In 24 Stunden',
  'In 7 days': 'In 7 Tagen',
  Key: 'Schlüssel',
  Mode: 'Modus',
  'Keys stop working': 'Schlüssel laufen ab',
  'A server that uses one of these keys needs a new key before then. Choose “Now” if the person who created these keys must no longer be able to use them.':
    'Ein Server, der einen davon verwendet, braucht vorher einen neuen. Wählen Sie „Sofort“, wenn die Person, die sie erstellt hat, sie nicht mehr verwenden darf.',
  Example: 'Beispiel',
  '{words}…': '{words} …',
  Breadcrumb: 'Navigationspfad',
  'Demo data': 'Beispieldaten',
  '<b>Demo data.</b> The people, apps and claims here are made up.':
    '<b>Beispieldaten.</b> Die Personen, Apps und Gutscheine hier sind erfunden.',
  waiting: 'wartend',
  'Times in {zone}.': 'Zeiten in {zone}.',
  'Runs on {software}.': 'Läuft mit {software}.',
  Docs: 'Dokumentation',
  Errors: 'Fehlercodes',
  'API description': 'API-Beschreibung',
  'Your time:': 'Ihre Zeit:',
  'Skip to the content': 'Zum Inhalt springen',
  'No response arrived': 'Keine Antwort erhalten',
  'What you typed is still here. It may have been saved, so check before you send it again.':
    'Ihre Eingaben sind noch da. Vielleicht wurden sie gespeichert, prüfen Sie das also, bevor Sie sie noch einmal senden.',
  'Set-up': 'Einrichtung',
  '<b>Not set up yet.</b> The terminal that started the service shows a setup link. <a>Set up</a>':
    '<b>Noch nicht eingerichtet.</b> Das Terminal, in dem der Dienst gestartet wurde, zeigt einen Einrichtungslink. <a>Einrichten</a>',
  Site: 'Website',
  Dashboard: 'Dashboard',
  Desk: 'Desk',
  Menu: 'Menü',
  'By continuing, you accept the <terms>terms</terms>.':
    'Indem Sie fortfahren, akzeptieren Sie die <terms>AGB</terms>.',
  'By continuing, you accept the <terms>terms</terms> and confirm that you have read the <privacy>privacy policy</privacy>.':
    'Indem Sie fortfahren, akzeptieren Sie die <terms>AGB</terms> und haben die <privacy>Datenschutzerklärung</privacy> gelesen.',
  'I accept the <terms>terms</terms>.': 'Ich akzeptiere die <terms>AGB</terms>.',
  'I accept the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.':
    'Ich akzeptiere die <terms>AGB</terms> und habe die <privacy>Datenschutzerklärung</privacy> gelesen.',
  'Not saved: your change conflicts with somebody else’s':
    'Nicht gespeichert: Ihre Änderung widerspricht der einer anderen Person',
  'The form keeps what you typed. Save again to replace what is saved now.':
    'Das Formular behält Ihre Eingaben. Speichern Sie noch einmal, um zu ersetzen, was jetzt gespeichert ist.',
  'Saved now': 'Jetzt gespeichert',
  'You typed': 'Ihre Eingabe',
  Saved: 'Gespeichert',
  'Somebody else changed other fields while your form was open. Their changes are kept.':
    'Jemand anderes hat andere Felder geändert, während Ihr Formular geöffnet war. Diese Änderungen bleiben erhalten.',
  'Nothing was changed': 'Es wurde nichts geändert',
  Draft: 'Entwurf',
  'Waiting for review': 'Wartet auf Prüfung',
  'Changes requested': 'Änderungen erbeten',
  Live: 'Live',
  Rejected: 'Abgelehnt',
  Withdrawn: 'Zurückgezogen',
  Suspended: 'Gesperrt',
  'state|Open': 'Offen',
  Exposed: 'Offengelegt',
  Scheduled: 'Geplant',
  Paused: 'Pausiert',
  Ended: 'Beendet',
  'Needs codes': 'Braucht Codes',
  'Not open yet': 'Noch nicht offen',
  Closed: 'Geschlossen',
  'Change in review': 'Änderung in Prüfung',
  Declined: 'Abgelehnt',
  'Not redeemed': 'Nicht eingelöst',
  'Code given': 'Code erhalten',
  Redeemed: 'Eingelöst',
  Replaced: 'Ersetzt',
  Valid: 'Gültig',
  'Already redeemed': 'Bereits eingelöst',
  'Not found': 'Nicht gefunden',
  Error: 'Fehler',
  Active: 'Aktiv',
  'Expires soon': 'Läuft bald ab',
  Expired: 'Abgelaufen',
  Revoked: 'Widerrufen',
  Failing: 'Fehlerhaft',
  Disabled: 'Abgeschaltet',
  Stopped: 'Gestoppt',
  Delivered: 'Zugestellt',
  Waiting: 'Ausstehend',
  'Trying again': 'Neuer Versuch',
  Failed: 'Fehlgeschlagen',
  Test: 'Test',
  'Done:': 'Erledigt:',
  'Next:': 'Als Nächstes:',
  'Passed:': 'Bestanden:',
  'Note:': 'Hinweis:',
  'Failed:': 'Fehlgeschlagen:',
  'Waiting:': 'Wartet:',
  'Not known yet:': 'Noch unbekannt:',
  Pages: 'Seiten',
  Previous: 'Zurück',
  Next: 'Weiter',
  '{claims} of {limit}': '{claims} von {limit}',
  Start: 'Start',
  Listings: 'Einträge',
  Claims: 'Gutscheine',
  Campaigns: 'Kampagnen',
  Developers: 'Entwicklung',
  Requests: 'API-Aufrufe',
  Webhooks: 'Webhooks',
  'Link check': 'Link-Prüfung',
  Settings: 'Einstellungen',
  'API keys': 'API-Schlüssel',
  Members: 'Mitglieder',
  Plan: 'Tarif',
  Overview: 'Überblick',
  Queue: 'Prüfliste',
  'Audit log': 'Audit-Log',
  Service: 'Dienst',
  System: 'System',
  Outbox: 'Postausgang',
  'Operator keys': 'Betreiberschlüssel',
  'Find a person, listing, claim, key or API call':
    'Person, Eintrag, Gutschein, Schlüssel oder API-Aufruf finden',
  'Person, listing, claim, key…': 'Person, Eintrag, Gutschein …',
  Find: 'Suchen',
  Close: 'Schließen',
  'Not saved yet': 'Noch nicht gespeichert',
  'This page keeps what you typed.': 'Diese Seite behält, was Sie eingegeben haben.',
};
