/** What claimants read on the marketplace and in mail, and what all pages share. */
export const CLAIMANTS: Readonly<Record<string, string>> = {
  // account/proof
  'Confirm it’s you': 'Identität bestätigen',
  'Then make your change. Nothing has been changed yet.':
    'Nehmen Sie danach Ihre Änderung vor. Noch wurde nichts geändert.',
  'Then continue where you were.': 'Danach geht es dort weiter, wo Sie waren.',
  'Use a passkey': 'Passkey verwenden',
  'Your passkey needs JavaScript and a browser that supports passkeys.':
    'Ihr Passkey braucht JavaScript und einen Browser, der Passkeys unterstützt.',
  'Use {provider}': 'Mit {provider} bestätigen',
  'We’ll email you a code, just as when you sign in.':
    'Wir senden Ihnen einen Code per E-Mail, wie bei der Anmeldung.',
  'Email me a code': 'Code per E-Mail senden',
  'Sign in again': 'Noch einmal anmelden',
  'To continue, sign out and sign in again: your account has no password or second factor to confirm it’s you.':
    'Um fortzufahren, melden Sie sich ab und wieder an: Ihr Konto hat weder Passwort noch zweiten Faktor, mit denen Sie Ihre Identität bestätigen könnten.',
  'Sign out': 'Abmelden',
  'The desk needs a second factor': 'Der Desk verlangt einen zweiten Faktor',
  'Operators of this service need more than a password to sign in. Setting it up takes a minute.':
    'Betreiber dieses Dienstes brauchen für die Anmeldung mehr als ein Passwort. Das Einrichten dauert eine Minute.',
  'Turn on an authenticator app or add a passkey on your account page, then open the desk again.':
    'Richten Sie auf Ihrer Kontoseite eine Authenticator-App oder einen Passkey ein und öffnen Sie dann den Desk erneut.',
  'Turn on an authenticator app on your account page, then open the desk again.':
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
  'Then you can sign in with {name}. Both accounts must have the same email address.':
    'Danach können Sie sich mit {name} anmelden. Beide Konten müssen dieselbe E-Mail-Adresse haben.',
  'Connect with {name}': 'Mit {name} verbinden',
  'Sign in by link': 'Anmelden per Link',
  'Check your mail': 'Sehen Sie in Ihr Postfach',
  Finished: 'Fertig',
  'We’ll email you a code. You need no password.':
    'Wir senden Ihnen einen Code per E-Mail. Ein Passwort brauchen Sie nicht.',
  'This code no longer works here': 'Dieser Code gilt hier nicht mehr',
  'Codes work for 10 minutes, in the browser that asked for them. Ask for a new one.':
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
  'No password? <a>Sign in with a code by mail</a>':
    'Kein Passwort? <a>Mit einem Code per E-Mail anmelden</a>',
  'New here? <a>Sign up</a>': 'Neu hier? <a>Registrieren</a>',
  'We sent a code to <strong>{email}</strong>. Enter it here, or open the link in the mail. Both work once, for 10 minutes.':
    'Wir haben einen Code an <strong>{email}</strong> gesendet. Geben Sie ihn hier ein oder öffnen Sie den Link in der E-Mail. Beide gelten einmal und 10 Minuten lang.',
  'Another mail is on its way.': 'Eine weitere E-Mail ist unterwegs.',
  '8 digits, such as 1234 5678.': '8 Ziffern, zum Beispiel 1234 5678.',
  'Send it again': 'Noch einmal absenden',
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
  'This link signs you in on this device. It works once.':
    'Dieser Link meldet Sie auf diesem Gerät an. Er gilt einmal.',
  'In the link, the code comes after the #.': 'Im Link steht der Code hinter dem #.',
  'This link no longer works': 'Dieser Link gilt nicht mehr',
  'Sign in another way': 'Anders anmelden',
  'Confirm your new address': 'Neue Adresse bestätigen',
  'Set up': 'Einrichten',
  'One account to claim offers and to publish your own.':
    'Ein Konto, um sich Angebote zu sichern und eigene zu veröffentlichen.',
  'Have an account? <a>Sign in</a>': 'Sie haben ein Konto? <a>Anmelden</a>',
  'Enter the address you sign in with, and we’ll send a link to it.':
    'Geben Sie die Adresse ein, mit der Sie sich anmelden. Wir senden einen Link dorthin.',
  'Enter the address you sign in with. The operator of this marketplace then has a link for you.':
    'Geben Sie die Adresse ein, mit der Sie sich anmelden. Der Betreiber dieses Marktplatzes hat dann einen Link für Sie.',
  'Send link': 'Link senden',
  'Ask for a link': 'Um einen Link bitten',
  'If an account has this address, we’re sending it a link and a code. They expire in an hour, and you can use only one of them.':
    'Wenn ein Konto diese Adresse hat, senden wir einen Link und einen Code dorthin. Sie gelten eine Stunde lang, und nur einer von beiden kann verwendet werden.',
  'If an account has this address, <operator>the operator of this marketplace</operator> now has a link for it. This service doesn’t send mail yet, so ask for the link.':
    'Wenn ein Konto diese Adresse hat, hat <operator>der Betreiber dieses Marktplatzes</operator> jetzt einen Link dafür. Dieser Dienst verschickt noch keine E-Mails, fragen Sie also nach dem Link.',
  'Enter the code': 'Code eingeben',
  'This signs you out everywhere.': 'Damit werden Sie überall abgemeldet.',
  'Set password': 'Passwort festlegen',
  'From the mail, for example K7QX3-M9TRB. The link fills it in.':
    'Aus der E-Mail, zum Beispiel K7QX3-M9TRB. Der Link füllt das Feld aus.',
  'Set up {name}': '{name} einrichten',
  'This makes you the operator. Operators approve listings, set plans and run the service.':
    'Damit werden Sie Betreiber. Betreiber geben Einträge frei, legen Tarife fest und führen den Dienst.',
  'Become the operator': 'Betreiber werden',
  'The setup link in the terminal fills it in. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new one.':
    'Der Einrichtungslink im Terminal füllt das Feld aus. Der Link steht auch in der Datei setup-link im Datenordner. Er gilt 30 Minuten lang; ein Neustart erzeugt einen neuen.',
  'Your name': 'Ihr Name',
  'Already set up': 'Bereits eingerichtet',
  'This service already has an operator.': 'Dieser Dienst hat bereits einen Betreiber.',
  Marketplace: 'Marktplatz',
  'Your account switches to it immediately.': 'Ihr Konto wechselt sofort zu ihr.',
  Confirm: 'Bestätigen',
  'From the mail to the new address, for example K7QX3-M9TRB. The link in the mail fills it in.':
    'Aus der E-Mail an die neue Adresse, zum Beispiel K7QX3-M9TRB. Der Link in der E-Mail füllt das Feld aus.',
  // app
  'Your account has made {attempts, number} changes within an hour, which is the most. Nothing was changed. Try again in {wait}.':
    'In Ihrem Konto wurden innerhalb einer Stunde {attempts, number} Änderungen vorgenommen, mehr sind nicht möglich. Es wurde nichts geändert. Versuchen Sie es in {wait} noch einmal.',
  'Your account has made {attempts, number} changes within a day, which is the most. Nothing was changed. Try again in {wait}.':
    'In Ihrem Konto wurden innerhalb eines Tages {attempts, number} Änderungen vorgenommen, mehr sind nicht möglich. Es wurde nichts geändert. Versuchen Sie es in {wait} noch einmal.',
  // brand
  'Offers from apps worth trying': 'Angebote von Apps, die sich lohnen',
  'Claim an offer here, then open the app to redeem it. Each claim can be redeemed only once.':
    'Sichern Sie sich hier ein Angebot und öffnen Sie dann die App, um es einzulösen. Jeder Gutschein kann nur einmal eingelöst werden.',
  // claims
  'You’ve just claimed this offer in another window. See your claims.':
    'Sie haben sich dieses Angebot gerade in einem anderen Fenster gesichert. Sehen Sie unter Ihren Gutscheinen nach.',
  'This offer was already claimed from your mailbox: with another spelling of your address, or by an account that was deleted or has another address now. If you have that account, sign in there to use the claim.':
    'Dieses Angebot wurde mit Ihrem Postfach bereits gesichert: mit einer anderen Schreibweise Ihrer Adresse oder von einem Konto, das gelöscht wurde oder jetzt eine andere Adresse hat. Wenn Sie dieses Konto haben, melden Sie sich dort an, um den Gutschein zu nutzen.',
  'This offer does not exist.': 'Dieses Angebot gibt es nicht.',
  'Confirm your email address first: sign out, then sign in with a code by mail.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Melden Sie sich ab und dann mit einem Code per E-Mail wieder an.',
  'You have claimed {count, plural, one {# offer} other {# offers}} in 24 hours, the most that one person can. Try again tomorrow.':
    'Sie haben sich in 24 Stunden {count, plural, one {# Angebot} other {# Angebote}} gesichert, mehr sind für eine Person nicht möglich. Versuchen Sie es morgen noch einmal.',
  'Too many offers were claimed from your network today. Try again tomorrow, or from another network.':
    'Aus Ihrem Netz wurden heute zu viele Angebote gesichert. Versuchen Sie es morgen noch einmal oder aus einem anderen Netz.',
  'There is no such claim.': 'Diesen Gutschein gibt es nicht.',
  'This offer has no page to open. Enter its code at checkout.':
    'Dieses Angebot hat keine Seite zum Öffnen. Geben Sie den Code an der Kasse ein.',
  'This claim can’t be opened at the moment.': 'Dieser Gutschein lässt sich im Moment nicht öffnen.',
  // dashboard/webhooks
  'Your account has submitted 60 URLs within an hour. Try again in {wait}.':
    'Ihr Konto hat innerhalb einer Stunde 60 URLs gesendet. Versuchen Sie es in {wait} noch einmal.',
  // desk/outbox
  'Test mail': 'Test-E-Mail',
  'Mail from {baseUrl} works. You sent this test from the Outbox page.':
    'Der E-Mail-Versand von {baseUrl} funktioniert. Sie haben diesen Test auf der Seite Outbox gesendet.',
  // errors.ts
  'The disk of this service is nearly full, so nothing was changed. Redemptions go on; its operator must make room.':
    'Der Speicherplatz dieses Dienstes ist fast voll, deshalb wurde nichts geändert. Einlösungen gehen weiter; der Betreiber muss Platz schaffen.',
  // http/pages
  'Nothing here': 'Hier ist nichts',
  'Invalid request': 'Ungültige Anfrage',
  'Request from elsewhere': 'Anfrage von anderswo',
  'Form too large': 'Formular zu groß',
  'Not a form': 'Kein Formular',
  'Request too slow': 'Anfrage zu langsam',
  'Too many requests': 'Zu viele Anfragen',
  Unavailable: 'Nicht verfügbar',
  'Internal error': 'Interner Fehler',
  'Go to the start page': 'Zur Startseite',
  'The service cannot answer right now. What you typed is still here: send it again in a moment.':
    'Der Dienst kann gerade nicht antworten. Ihre Eingaben sind noch da: Senden Sie sie gleich noch einmal ab.',
  'If it happens again, tell <operator>the operator</operator> this number: <code>{number}</code>':
    'Falls es wieder geschieht, nennen Sie <operator>dem Betreiber</operator> diese Nummer: <code>{number}</code>',
  'There is no page at this address, or you don’t have access to it.':
    'Unter dieser Adresse gibt es keine Seite, oder Sie haben keinen Zugriff darauf.',
  'Something went wrong here. What you sent may or may not have been saved: check whether it was saved before you send it again.':
    'Hier ist etwas schiefgegangen. Was Sie gesendet haben, wurde vielleicht gespeichert, vielleicht nicht: Prüfen Sie das, bevor Sie es noch einmal senden.',
  'The service cannot answer right now. Nothing is lost; reload the page in a moment.':
    'Der Dienst kann gerade nicht antworten. Nichts ist verloren; laden Sie die Seite gleich noch einmal.',
  'You work in another account now': 'Sie arbeiten jetzt in einem anderen Konto',
  'You are signed in to another account': 'Sie sind in einem anderen Konto angemeldet',
  'This page keeps what you typed. To save it in the account that you opened the form in, switch to that account in another tab, then come back here and send it again.':
    'Diese Seite behält Ihre Eingaben. Um sie in dem Konto zu speichern, in dem Sie das Formular geöffnet haben, wechseln Sie in einem anderen Tab zu diesem Konto, kommen hierher zurück und senden es noch einmal ab.',
  'This page keeps what you typed. To save it in the account that you opened the form in, sign in to that account in another tab, then come back here and send it again.':
    'Diese Seite behält Ihre Eingaben. Um sie in dem Konto zu speichern, in dem Sie das Formular geöffnet haben, melden Sie sich in einem anderen Tab in diesem Konto an, kommen hierher zurück und senden es noch einmal ab.',
  'Send it to {place}': 'An {place} senden',
  'Send it as {name}': 'Als {name} senden',
  'This form was opened in another account, and you now work in the account {place}. Nothing has been changed.':
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
  'The address holds the character U+0000.': 'Die Adresse enthält das Zeichen U+0000.',
  'The request did not come from a page of this service, so nothing was changed.':
    'Die Anfrage kam nicht von einer Seite dieses Dienstes, deshalb wurde nichts geändert.',
  'Confirm it’s you to continue. Nothing has been changed yet.':
    'Bestätigen Sie Ihre Identität, um fortzufahren. Noch wurde nichts geändert.',
  'There is nothing at this address.': 'Unter dieser Adresse ist nichts.',
  'A form is sent as application/x-www-form-urlencoded.':
    'Ein Formular wird als application/x-www-form-urlencoded gesendet.',
  'The form is larger than {limit} KiB.': 'Das Formular ist größer als {limit} KiB.',
  'The form holds the character U+0000.': 'Das Formular enthält das Zeichen U+0000.',
  // listings
  'The offer doesn’t work': 'Das Angebot funktioniert nicht',
  'The offer isn’t as described': 'Das Angebot entspricht nicht der Beschreibung',
  'It looks like a scam': 'Es sieht nach Betrug aus',
  'It is illegal or offensive': 'Es ist illegal oder anstößig',
  'Something else': 'Etwas anderes',
  'Choose what is wrong.': 'Wählen Sie aus, was nicht stimmt.',
  'You have reported many listings. Try again in {wait}.':
    'Sie haben viele Einträge gemeldet. Versuchen Sie es in {wait} noch einmal.',
  'Say what is wrong.': 'Schreiben Sie, was nicht stimmt.',
  // mail
  'Unsubscribe from these emails': 'Diese E-Mails abbestellen',
  Contact: 'Kontakt',
  Imprint: 'Impressum',
  Privacy: 'Datenschutz',
  // market
  '{more, plural, one {# more offer} other {# more offers}}':
    '{more, plural, one {# weiteres Angebot} other {# weitere Angebote}}',
  'Over.': 'Vorbei.',
  'Claim offer': 'Angebot sichern',
  'Claim offer: {offer}': 'Angebot sichern: {offer}',
  '{offer}, at {name}': '{offer}, bei {name}',
  'We’ll send you a code. The offer is yours as soon as you enter it.':
    'Wir senden Ihnen einen Code. Sobald Sie ihn eingeben, gehört das Angebot Ihnen.',
  Help: 'Hilfe',
  'For people who claim offers.': 'Für alle, die sich Angebote sichern.',
  'How do I claim an offer?': 'Wie sichere ich mir ein Angebot?',
  'Open the app on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Enter your email address, then the code from the mail. You need no password. The offer is then yours: open the app from the page of your claim, or enter the code at checkout.':
    'Öffnen Sie die App auf dem <a>Marktplatz</a> und wählen Sie <strong>Angebot sichern</strong>. Geben Sie Ihre E-Mail-Adresse ein und dann den Code aus der E-Mail. Ein Passwort brauchen Sie nicht. Das Angebot gehört dann Ihnen: Öffnen Sie die App von der Seite Ihres Gutscheins aus oder geben Sie den Code an der Kasse ein.',
  'Open the app on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Sign up with your email address and a password, or sign in. The offer is then yours: open the app from the page of your claim, or enter the code at checkout.':
    'Öffnen Sie die App auf dem <a>Marktplatz</a> und wählen Sie <strong>Angebot sichern</strong>. Registrieren Sie sich mit Ihrer E-Mail-Adresse und einem Passwort oder melden Sie sich an. Das Angebot gehört dann Ihnen: Öffnen Sie die App von der Seite Ihres Gutscheins aus oder geben Sie den Code an der Kasse ein.',
  'I didn’t get the code': 'Ich habe den Code nicht erhalten',
  'It takes up to a minute. Check your spam folder and the spelling of your address, then choose <strong>Send it again</strong>. The code works for 10 minutes in the browser where you asked for it; the link in the mail works in any browser.':
    'Das dauert bis zu einer Minute. Sehen Sie im Spam-Ordner nach, prüfen Sie die Schreibweise Ihrer Adresse und wählen Sie dann <strong>Noch einmal absenden</strong>. Der Code gilt 10 Minuten lang in dem Browser, in dem Sie ihn angefordert haben; der Link in der E-Mail funktioniert in jedem Browser.',
  'Where is my claim, my code or my link?': 'Wo ist mein Gutschein, mein Code oder mein Link?',
  'Under <a>My claims</a>, on every device where you sign in with the same email address. Claims don’t move between accounts. If the list is empty, you may have claimed with another address.':
    'Unter <a>Meine Gutscheine</a>, auf jedem Gerät, auf dem Sie sich mit derselben E-Mail-Adresse anmelden. Gutscheine wechseln nicht von einem Konto zum anderen. Wenn die Liste leer ist, haben Sie sich das Angebot vielleicht mit einer anderen Adresse gesichert.',
  'Email address that you claimed with': 'E-Mail-Adresse, mit der Sie sich das Angebot gesichert haben',
  'Email me my claims': 'Meine Gutscheine per E-Mail senden',
  'Why does it say “Redeemed”?': 'Warum steht dort „Eingelöst“?',
  'The app has applied your offer. Each claim works once, so opening it again changes nothing. If you didn’t get what the offer promises, ask the people who make the app. Their website is on the page of your claim, and they can see when it was redeemed.':
    'Die App hat Ihr Angebot angewendet. Jeder Gutschein gilt einmal, ihn erneut zu öffnen ändert also nichts. Wenn Sie nicht bekommen haben, was das Angebot verspricht, fragen Sie den Anbieter der App. Die Website steht auf der Seite Ihres Gutscheins, und der Anbieter sieht, wann er eingelöst wurde.',
  'Why can’t I claim?': 'Warum kann ich mir ein Angebot nicht sichern?',
  'The page of the offer says why: it has ended, its owner has paused it, or all claims or codes have been given out. One person can claim an offer once, so a claim is also refused if you already claimed the offer with another spelling of your address, or with an account that you have deleted.':
    'Die Seite des Angebots nennt den Grund: Es ist beendet, der Anbieter hat es pausiert, oder alle Gutscheine oder Codes sind vergeben. Eine Person kann sich ein Angebot einmal sichern. Deshalb geht es auch dann nicht, wenn Sie es sich bereits mit einer anderen Schreibweise Ihrer Adresse oder mit einem inzwischen gelöschten Konto gesichert haben.',
  'What do you know about me?': 'Was wissen Sie über mich?',
  'Your name and address, your claims, and when you signed in. On your <a>account page</a> you can download all of it or delete your account. <privacy>Privacy</privacy> says what is stored, why and for how long.':
    'Ihren Namen und Ihre Adresse, Ihre Gutscheine und wann Sie sich angemeldet haben. Auf Ihrer <a>Kontoseite</a> können Sie alles herunterladen oder Ihr Konto löschen. Unter <privacy>Datenschutz</privacy> steht, was gespeichert wird, warum und wie lange.',
  'Who can help me?': 'Wer kann mir helfen?',
  'Ask the app about its offer, a code that isn’t accepted, or a refund. Ask the <operator>operator of this marketplace</operator> about signing in, your account, or a listing that isn’t what it claims to be.':
    'Fragen Sie die App, wenn es um ihr Angebot, einen nicht angenommenen Code oder eine Rückerstattung geht. Fragen Sie den <operator>Betreiber dieses Marktplatzes</operator>, wenn es um die Anmeldung, Ihr Konto oder einen Eintrag geht, der nicht ist, was er vorgibt.',
  'No apps are published here yet.': 'Hier sind noch keine Apps veröffentlicht.',
  'Publish your app': 'Eigene App veröffentlichen',
  'Do you have an app? <a>Publish it here</a> with an offer of your own.':
    'Haben Sie eine App? <a>Veröffentlichen Sie sie hier</a> mit einem eigenen Angebot.',
  Search: 'Suchen',
  'App or offer': 'App oder Angebot',
  Featured: 'Empfohlen',
  'Unknown category': 'Unbekannte Kategorie',
  'All apps': 'Alle Apps',
  'Discount offers': 'Rabatte',
  'Trial offers': 'Testangebote',
  'Credit offers': 'Guthaben',
  'Bonus offers': 'Bonusangebote',
  'Access offers': 'Zugänge',
  'Gift offers': 'Geschenke',
  'Best match': 'Beste Treffer',
  Newest: 'Neueste',
  Popular: 'Beliebt',
  'Ending soon': 'Endet bald',
  Order: 'Reihenfolge',
  Filters: 'Filter',
  Categories: 'Kategorien',
  All: 'Alle',
  Offers: 'Angebote',
  '{count, plural, one {# app without an end date is not listed here.} other {# apps without an end date are not listed here.}} <a>Show all</a>':
    '{count, plural, one {# App ohne Enddatum ist hier nicht aufgeführt.} other {# Apps ohne Enddatum sind hier nicht aufgeführt.}} <a>Alle anzeigen</a>',
  'Page {page, number} of {pages, number}': 'Seite {page, number} von {pages, number}',
  'There is no page {page, number}.': 'Es gibt keine Seite {page, number}.',
  'This category doesn’t exist (any more).': 'Diese Kategorie gibt es nicht (mehr).',
  'Show all apps': 'Alle Apps anzeigen',
  'No offer here has an end date.': 'Kein Angebot hier hat ein Enddatum.',
  'Show the newest': 'Die neuesten anzeigen',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} at the moment.':
    'Im Moment gibt es {kind, select, discount {keine Rabatte} trial {keine Testangebote} credit {keine Guthaben} bonus {keine Bonusangebote} access {keine Zugänge} gift {keine Geschenke} other {keine Apps}}.',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} in {category} at the moment.':
    'Im Moment gibt es in {category} {kind, select, discount {keine Rabatte} trial {keine Testangebote} credit {keine Guthaben} bonus {keine Bonusangebote} access {keine Zugänge} gift {keine Geschenke} other {keine Apps}}.',
  'Show all offers': 'Alle Angebote anzeigen',
  'Show all offers in {category}': 'Alle Angebote in {category} anzeigen',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} match “{search}”. Try fewer or shorter words.':
    '{kind, select, discount {Keine Rabatte} trial {Keine Testangebote} credit {Keine Guthaben} bonus {Keine Bonusangebote} access {Keine Zugänge} gift {Keine Geschenke} other {Keine Apps}} passen zu „{search}“. Versuchen Sie es mit weniger oder kürzeren Wörtern.',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} in {category} match “{search}”. Try fewer or shorter words.':
    '{kind, select, discount {Keine Rabatte} trial {Keine Testangebote} credit {Keine Guthaben} bonus {Keine Bonusangebote} access {Keine Zugänge} gift {Keine Geschenke} other {Keine Apps}} in {category} passen zu „{search}“. Versuchen Sie es mit weniger oder kürzeren Wörtern.',
  'Search all apps': 'Alle Apps durchsuchen',
  'The offer was not claimed': 'Das Angebot wurde nicht gesichert',
  'The offer': 'Das Angebot',
  'There are no offers at the moment.': 'Im Moment gibt es keine Angebote.',
  'To claim an offer, all you need is an email address.':
    'Um sich ein Angebot zu sichern, brauchen Sie nur eine E-Mail-Adresse.',
  'Sign in or sign up to publish your app.':
    'Melden Sie sich an oder registrieren Sie sich, um Ihre App zu veröffentlichen.',
  '20% off': '20 % Rabatt',
  'You claimed an offer of Calm Notes.': 'Ihr Angebot von Calm Notes.',
  'Sign in or sign up to claim an offer.':
    'Melden Sie sich an oder registrieren Sie sich, um sich ein Angebot zu sichern.',
  'About {name}': 'Über {name}',
  App: 'App',
  By: 'Von',
  'Report this listing': 'Diesen Eintrag melden',
  'A code to enter at checkout.': 'Ein Code, den Sie an der Kasse eingeben.',
  'You’ll use it at {host}, with a code for checkout.':
    'Sie nutzen es bei {host}, mit einem Code für die Kasse.',
  'You’ll use it at {host}.': 'Sie nutzen es bei {host}.',
  '{count} claimed': '{count} gesichert',
  'Show your claim: {offer}': 'Gutschein anzeigen: {offer}',
  'Show your claim': 'Gutschein anzeigen',
  'The operator has suspended this listing': 'Der Betreiber hat diesen Eintrag gesperrt',
  'The owner has withdrawn this listing': 'Der Anbieter hat diesen Eintrag zurückgezogen',
  'See other offers': 'Andere Angebote ansehen',
  'Its offers can’t be claimed any more. Existing claims are not deleted.':
    'Die Angebote kann man sich nicht mehr sichern. Vorhandene Gutscheine werden nicht gelöscht.',
  'Its offers can’t be claimed any more. Existing claims can still be redeemed.':
    'Die Angebote kann man sich nicht mehr sichern. Vorhandene Gutscheine können weiterhin eingelöst werden.',
  Conditions: 'Bedingungen',
  'Opens on {day}.': 'Beginnt am {day}.',
  'The owner has paused this offer.': 'Der Anbieter hat dieses Angebot pausiert.',
  '{limit, plural, =1 {Its only claim has been made.} other {All of its # claims have been made.}}':
    '{limit, plural, =1 {Der einzige Gutschein ist vergeben.} other {Alle # Gutscheine sind vergeben.}}',
  'It can’t be claimed at the moment.': 'Im Moment kann man sich das Angebot nicht sichern.',
  'It ended on {day}.': 'Es endete am {day}.',
  'Until {day}': 'Bis {day}',
  '{left} of {limit, number} left': 'Noch {left} von {limit, number}',
  '{left} left': 'Noch {left}',
  'Claim offer · {name}': 'Angebot sichern · {name}',
  'Tell us what is wrong with {name}. Its owner doesn’t learn who you are.':
    'Sagen Sie uns, was mit {name} nicht stimmt. Der Anbieter erfährt nicht, wer Sie sind.',
  'Thank you': 'Vielen Dank',
  'Back to the listing': 'Zurück zum Eintrag',
  'We look at every report.': 'Wir sehen uns jede Meldung an.',
  'What is wrong?': 'Was stimmt nicht?',
  'What happened?': 'Was ist passiert?',
  'At most 1,000 characters. Required for “Something else”. Leave out codes and personal data.':
    'Höchstens 1.000 Zeichen. Bei „Etwas anderes“ erforderlich. Lassen Sie Codes und persönliche Daten weg.',
  'Send report': 'Meldung senden',
  // market/claims
  'My claims': 'Meine Gutscheine',
  'Your claim': 'Ihr Gutschein',
  '{name} was not opened': '{name} wurde nicht geöffnet',
  'Claimed {time}': 'Gesichert am {time}',
  History: 'Verlauf',
  'It was redeemed. A newer claim, under My claims, replaces it.':
    'Er wurde eingelöst. Ein neuerer Gutschein unter „Meine Gutscheine“ ersetzt ihn.',
  'It was redeemed at {name}. A claim can be redeemed only once.':
    'Er wurde bei {name} eingelöst. Ein Gutschein kann nur einmal eingelöst werden.',
  'Only you have this code. Enter it at checkout.':
    'Diesen Code haben nur Sie. Geben Sie ihn an der Kasse ein.',
  'Enter the code at checkout. That’s all you need.':
    'Geben Sie den Code an der Kasse ein. Mehr ist nicht nötig.',
  'It can’t be redeemed any more.': 'Er kann nicht mehr eingelöst werden.',
  'It cannot be redeemed at the moment.': 'Er kann im Moment nicht eingelöst werden.',
  'Open {name} to redeem your claim.': 'Öffnen Sie {name}, um Ihren Gutschein einzulösen.',
  'Open {name} to redeem your claim, and enter the code at checkout there.':
    'Öffnen Sie {name}, um Ihren Gutschein einzulösen, und geben Sie dort an der Kasse den Code ein.',
  'It can’t be used at the moment.': 'Er kann im Moment nicht genutzt werden.',
  'Show as QR code': 'Als QR-Code anzeigen',
  'QR code with the code for checkout': 'QR-Code mit dem Code für die Kasse',
  'Cannot be opened': 'Kann nicht geöffnet werden',
  'Your claim is safe. Tell the operator of this marketplace.':
    'Ihr Gutschein ist sicher. Sagen Sie dem Betreiber dieses Marktplatzes Bescheid.',
  'The account behind {name} is suspended': 'Das Konto hinter {name} ist gesperrt',
  'Your claim is safe. You’ll be able to redeem it once the operator of this marketplace restores that account.':
    'Ihr Gutschein ist sicher. Sie können ihn einlösen, sobald der Betreiber dieses Marktplatzes das Konto wieder freigibt.',
  '{name} has left this marketplace': '{name} hat diesen Marktplatz verlassen',
  'Claims could be redeemed until {day}.': 'Gutscheine konnten bis {day} eingelöst werden.',
  'You can redeem your claim until {day}.': 'Sie können Ihren Gutschein bis {day} einlösen.',
  '{name} no longer offers this': '{name} bietet das nicht mehr an',
  'Your claim still works.': 'Ihr Gutschein gilt weiterhin.',
  Claimed: 'Gesichert',
  'First opened {name}': '{name} zum ersten Mal geöffnet',
  'Redeemed at {name}': 'Bei {name} eingelöst',
  'Not redeemed yet': 'Noch nicht eingelöst',
  'Continue on your phone': 'Auf dem Telefon weitermachen',
  'QR code with the URL of this page': 'QR-Code mit der URL dieser Seite',
  'Scan to open this page; you’ll need to sign in. The code doesn’t contain your claim.':
    'Scannen Sie den Code, um diese Seite zu öffnen; dazu müssen Sie sich anmelden. Ihr Gutschein steht nicht im Code.',
  'Claims you can still use come first.': 'Zuerst kommen die Gutscheine, die Sie noch nutzen können.',
  'First page': 'Erste Seite',
  'Redeemed {time}': 'Eingelöst am {time}',
  'Open {name}: {offer}': '{name} öffnen: {offer}',
  'Open {name}': '{name} öffnen',
  'the code': 'den Code',
  'Copy and open {name}': 'Kopieren und {name} öffnen',
  'Offers you claim appear here, with their codes and a button that opens the app.':
    'Angebote, die Sie sich sichern, erscheinen hier, mit ihren Codes und einer Schaltfläche, die die App öffnet.',
  'Browse offers': 'Angebote ansehen',
  '20% off the first year': '20 % Rabatt im ersten Jahr',
  // market/found
  'No offers at the moment': 'Im Moment keine Angebote',
  '{left, number} left': 'noch {left, number}',
  'until {day}': 'bis {day}',
  'New offers · {name}': 'Neue Angebote · {name}',
  // notices
  'Each claim you make, with a link to it': 'Jeden Gutschein, den Sie sich sichern, mit einem Link dazu',
  'mail about each claim you make': 'E-Mails über jeden Gutschein, den Sie sich sichern',
  'Claims that you haven’t used yet': 'Gutscheine, die Sie noch nicht genutzt haben',
  'reminders of unused claims': 'Erinnerungen an ungenutzte Gutscheine',
  'What the operator decides about your listings, links and requests, or changes in your listings':
    'Was der Betreiber über Ihre Einträge, Links und Anfragen entscheidet oder an Ihren Einträgen ändert',
  'mail about decisions and changes of the operator':
    'E-Mails über Entscheidungen und Änderungen des Betreibers',
  'Problems: an API key that a browser sent, or a disabled webhook endpoint':
    'Probleme: ein API-Schlüssel, den ein Browser gesendet hat, oder ein abgeschalteter Webhook-Endpunkt',
  'mail about problems with your API keys and webhook endpoints':
    'E-Mails über Probleme mit Ihren API-Schlüsseln und Webhook-Endpunkten',
  'Offers that run low on codes, end soon or are near their claim limit':
    'Angebote, deren Codes knapp werden, die bald enden oder fast ihr Limit erreicht haben',
  'mail about offers that are about to end or run out': 'E-Mails über Angebote, die bald enden oder ausgehen',
  'Your numbers of the week, on Mondays': 'Ihre Zahlen der Woche, montags',
  'your numbers of the week': 'Ihre Zahlen der Woche',
  'What waits for your decision, immediately': 'Was auf Ihre Entscheidung wartet, sofort',
  'mail as soon as something waits for your decision': 'E-Mails, sobald etwas auf Ihre Entscheidung wartet',
  'What waits for your decision, once a day': 'Was auf Ihre Entscheidung wartet, einmal am Tag',
  'the daily mail about what waits for your decision':
    'die tägliche E-Mail darüber, was auf Ihre Entscheidung wartet',
  'New owners': 'Neue Anbieter',
  'mail about new owners': 'E-Mails über neue Anbieter',
  'Problems with backups, disk, mail or jobs':
    'Probleme mit Sicherungen, Speicherplatz, E-Mail oder Hintergrundaufgaben',
  'mail about problems with backups, disk, mail or jobs':
    'E-Mails über Probleme mit Sicherungen, Speicherplatz, E-Mail oder Hintergrundaufgaben',
  'Open the listing': 'Eintrag öffnen',
  '{name} was submitted for review': '{name} wurde zur Prüfung eingereicht',
  '{name} is waiting for review. You’ll get a mail with the decision.':
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
  'No reason was given.': 'Es wurde keine Begründung angegeben.',
  '{name} is a draft again.': '{name} ist wieder ein Entwurf.',
  '{name} is waiting for review again.': '{name} wartet wieder auf Prüfung.',
  '{name} needs changes again.': '{name} braucht wieder Änderungen.',
  '{name} is live again.': '{name} ist wieder live.',
  '{name} is rejected again.': '{name} ist wieder abgelehnt.',
  '{name} is withdrawn again.': '{name} ist wieder zurückgezogen.',
  '{name} is suspended again.': '{name} ist wieder gesperrt.',
  'A decision about {name} was undone': 'Eine Entscheidung über {name} wurde rückgängig gemacht',
  'The new link of {name} is waiting for review again.':
    'Der neue Link von {name} wartet wieder auf Prüfung.',
  'Your new link is live': 'Ihr neuer Link ist live',
  'The operator approved the address of {name}. It is in use now.':
    'Der Betreiber hat die Adresse von {name} freigegeben. Sie wird jetzt verwendet.',
  'The operator approved the redemption link of “{offer}”. It is in use now.':
    'Der Betreiber hat den Einlöselink von „{offer}“ freigegeben. Er wird jetzt verwendet.',
  'Your new link was declined': 'Ihr neuer Link wurde abgelehnt',
  'The operator declined the address of {name}. The old one stays in use. The reason:':
    'Der Betreiber hat die Adresse von {name} abgelehnt. Die bisherige bleibt in Gebrauch. Die Begründung:',
  'The operator declined the redemption link of “{offer}”. The old one stays in use. The reason:':
    'Der Betreiber hat den Einlöselink von „{offer}“ abgelehnt. Der bisherige bleibt in Gebrauch. Die Begründung:',
  'Your plan is now {plan}': 'Ihr Tarif ist jetzt {plan}',
  'The operator moved your account to the plan {plan}. It has API keys, so your server can verify claims.':
    'Der Betreiber hat Ihr Konto auf den Tarif {plan} umgestellt. Er hat API-Schlüssel, Ihr Server kann also Gutscheine prüfen.',
  'The operator moved your account to the plan {plan}. It has no API keys: existing keys are refused until you have a plan with keys again.':
    'Der Betreiber hat Ihr Konto auf den Tarif {plan} umgestellt. Er hat keine API-Schlüssel: Vorhandene Schlüssel werden abgewiesen, bis Sie wieder einen Tarif mit Schlüsseln haben.',
  'Open your plan': 'Ihren Tarif öffnen',
  'You can publish now': 'Sie können jetzt veröffentlichen',
  'The operator allowed your account to publish.':
    'Der Betreiber hat Ihrem Konto das Veröffentlichen erlaubt.',
  'Publish an app': 'App veröffentlichen',
  'Your request to publish was declined': 'Ihre Bitte, veröffentlichen zu dürfen, wurde abgelehnt',
  'Your request for {plan} was declined': 'Ihre Anfrage nach {plan} wurde abgelehnt',
  'The operator declined it. The reason:': 'Der Betreiber hat sie abgelehnt. Die Begründung:',
  'Open the dashboard': 'Dashboard öffnen',
  '“{offer}” of {name}': '„{offer}“ von {name}',
  'The operator created {what}': 'Der Betreiber hat {what} angelegt',
  'The operator changed {what}': 'Der Betreiber hat {what} geändert',
  'The operator of the marketplace created {what} for you.':
    'Der Betreiber des Marktplatzes hat {what} für Sie angelegt.',
  'The operator of the marketplace changed {what}. The change applies now.':
    'Der Betreiber des Marktplatzes hat {what} geändert. Die Änderung gilt ab jetzt.',
  'If that’s not what you want, change it, or ask the operator.':
    'Falls Sie das nicht möchten, ändern Sie es oder fragen Sie den Betreiber.',
  'Your new pictures are live': 'Ihre neuen Bilder sind live',
  'The operator approved the new pictures of {name}.':
    'Der Betreiber hat die neuen Bilder von {name} freigegeben.',
  'Your new pictures were declined': 'Ihre neuen Bilder wurden abgelehnt',
  'The operator declined the new pictures of {name}. The old ones stay. The reason:':
    'Der Betreiber hat die neuen Bilder von {name} abgelehnt. Die bisherigen bleiben. Die Begründung:',
  'Your API key was sent by a browser': 'Ihr API-Schlüssel wurde von einem Browser gesendet',
  'A browser sent one of your API keys. Anyone who opens that page can read the key and redeem claims with it.':
    'Ein Browser hat einen Ihrer API-Schlüssel gesendet. Wer diese Seite öffnet, kann den Schlüssel lesen und damit Gutscheine einlösen.',
  'A browser sent one of your API keys from {origin}. Anyone who opens that page can read the key and redeem claims with it.':
    'Ein Browser hat von {origin} aus einen Ihrer API-Schlüssel gesendet. Wer diese Seite öffnet, kann den Schlüssel lesen und damit Gutscheine einlösen.',
  'Roll the key, and call the API from your server only.':
    'Tauschen Sie den Schlüssel aus und rufen Sie die API nur von Ihrem Server aus auf.',
  'Open API keys': 'API-Schlüssel öffnen',
  'A webhook endpoint was disabled': 'Ein Webhook-Endpunkt wurde abgeschaltet',
  'We no longer send events to your webhook endpoint at {site}: it responded with 410 Gone.':
    'Wir senden keine Ereignisse mehr an Ihren Webhook-Endpunkt bei {site}: Er hat mit 410 Gone geantwortet.',
  'We no longer send events to your webhook endpoint at {site}: every request has failed for five days.':
    'Wir senden keine Ereignisse mehr an Ihren Webhook-Endpunkt bei {site}: Seit fünf Tagen ist jede Anfrage fehlgeschlagen.',
  'Nothing is lost. When the endpoint works again, enable it and choose whether to send the events since then.':
    'Nichts ist verloren. Sobald der Endpunkt wieder funktioniert, schalten Sie ihn ein und wählen Sie, ob die seitherigen Ereignisse gesendet werden.',
  'Open the endpoint': 'Endpunkt öffnen',
  'Open the offer': 'Angebot öffnen',
  '“{offer}” has no codes left': '„{offer}“ hat keine Codes mehr',
  '“{offer}” is running out of codes': 'Die Codes von „{offer}“ werden knapp',
  'All codes of “{offer}” ({listing}) have been given out. New codes take effect immediately.':
    'Alle Codes von „{offer}“ ({listing}) sind vergeben. Neue Codes gelten sofort.',
  '{left, plural, one {# code} other {# codes}} left for “{offer}” ({listing}).':
    'Noch {left, plural, one {# Code} other {# Codes}} für „{offer}“ ({listing}).',
  'Add codes': 'Codes hinzufügen',
  '“{offer}” ends soon': '„{offer}“ endet bald',
  '“{offer}” ({listing}) can be claimed until {end}. Claims made before can be redeemed after that.':
    'Man kann sich „{offer}“ ({listing}) bis {end} sichern. Vorher gesicherte Gutscheine können danach eingelöst werden.',
  '“{offer}” has reached its claim limit': '„{offer}“ hat das Limit erreicht',
  '“{offer}” is near its claim limit': '„{offer}“ hat das Limit fast erreicht',
  '“{offer}” ({listing}): {claims, number} of {limit, plural, one {# claim} other {# claims}} used.':
    '„{offer}“ ({listing}): {claims, number} von {limit, plural, one {# Gutschein} other {# Gutscheinen}} vergeben.',
  'People see that it is over. Raise the limit to take more claims.':
    'Man sieht, dass das Angebot vorbei ist. Erhöhen Sie das Limit, um weitere Gutscheine zu vergeben.',
  'At the limit, people see that it is over. Raise it to take more claims.':
    'Ist das Limit erreicht, sieht man, dass das Angebot vorbei ist. Erhöhen Sie es, um weitere Gutscheine zu vergeben.',
  'Your week: {claims, plural, one {# claim} other {# claims}}, {redeemed, number} redeemed':
    'Ihre Woche: {claims, plural, one {# Gutschein} other {# Gutscheine}}, {redeemed, number} eingelöst',
  'In the last seven days people made {claims, plural, one {# claim} other {# claims}} on your offers, and {redeemed, plural, one {# was} other {# were}} redeemed.':
    'In den letzten sieben Tagen {claims, plural, one {wurde # Gutschein} other {wurden # Gutscheine}} für Ihre Angebote gesichert und {redeemed, plural, one {# eingelöst} other {# eingelöst}}.',
  '{waiting, plural, one {# item} other {# items}} to decide':
    '{waiting, plural, one {# Entscheidung} other {# Entscheidungen}} zu treffen',
  'Waiting for your decision: {names} and {more, number} more.':
    'Auf Ihre Entscheidung warten: {names} und {more, number} weitere.',
  'Waiting for your decision: {names}.': 'Auf Ihre Entscheidung warten: {names}.',
  'Open the queue': 'Liste öffnen',
  'A new owner: {owner}': 'Neuer Anbieter: {owner}',
  '{owner} created a first listing, {name}.': '{owner} hat einen ersten Eintrag angelegt: {name}.',
  'Open the account': 'Konto öffnen',
  'Disk almost full': 'Speicherplatz fast voll',
  'The database accepts no writes': 'Die Datenbank nimmt keine Änderungen an',
  'Problem with {check}': 'Problem mit {check}',
  'What to do': 'Was zu tun ist',
  'Open the system page': 'Systemseite öffnen',
  'You’ll get this mail again in a week if the problem persists.':
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
  // offers
  Discount: 'Rabatt',
  Trial: 'Testphase',
  Credit: 'Guthaben',
  Bonus: 'Bonus',
  Access: 'Zugang',
  Gift: 'Geschenk',
  'All codes have been given out.': 'Alle Codes sind vergeben.',
  'The offer takes no claims: its redemption link waits for approval.':
    'Das Angebot nimmt keine Gutscheine an: Sein Einlöselink wartet auf Freigabe.',
  'The offer takes no claims: its owner has paused it.':
    'Das Angebot ist nicht verfügbar: Der Anbieter hat es pausiert.',
  'The offer opens on {day}.': 'Das Angebot beginnt am {day}.',
  'The offer is over: it ended on {day}.': 'Das Angebot ist vorbei: Es endete am {day}.',
  'The offer is over: {limit, plural, =1 {its only claim has been made} other {all of its # claims have been made}}.':
    'Das Angebot ist vorbei: {limit, plural, =1 {Der einzige Gutschein ist vergeben} other {Alle # Gutscheine sind vergeben}}.',
  // text
  '{what} contains the invisible character {character}, which changes the text direction. Delete it or type the text again: each text is shown in its own direction.':
    '{what} enthält das unsichtbare Zeichen {character}, das die Schreibrichtung ändert. Löschen Sie es oder tippen Sie den Text neu: Jeder Text wird in seiner eigenen Richtung angezeigt.',
  '{what} contains the control character {character}.': '{what} enthält das Steuerzeichen {character}.',
  '{what} contains invalid Unicode (a lone surrogate).':
    '{what} enthält ungültiges Unicode (ein einzelnes Surrogat).',
  '{what} is empty.': '{what} ist leer.',
  '{what} has {length, plural, one {# character} other {# characters}}; at most {maxLength, number} are allowed.':
    '{what} hat {length, plural, one {# Zeichen} other {# Zeichen}}; höchstens {maxLength, number} sind erlaubt.',
  // ui
  'Account:': 'Konto:',
  'All accounts': 'Alle Konten',
  '(another site)': '(andere Website)',
  'Use them in this browser': 'In diesem Browser verwenden',
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
  'API keys that end': 'API-Schlüssel, die enden',
  Key: 'Schlüssel',
  Mode: 'Modus',
  'These keys end': 'Diese Schlüssel enden',
  'A server that uses one of them needs a new key before then. Choose “Now” if the person must not be able to use them any more.':
    'Ein Server, der einen davon verwendet, braucht vorher einen neuen. Wählen Sie „Sofort“, wenn die Person sie nicht mehr verwenden darf.',
  Example: 'Beispiel',
  Breadcrumb: 'Navigationspfad',
  'Demo data': 'Beispieldaten',
  '<b>Demo data.</b> The people, apps and claims here are made up.':
    '<b>Beispieldaten.</b> Die Personen, Apps und Gutscheine hier sind erfunden.',
  waiting: 'wartend',
  'Each claim can be redeemed only once.': 'Jeder Gutschein kann nur einmal eingelöst werden.',
  'Times in {zone}.': 'Zeiten in {zone}.',
  'Runs on {software}.': 'Läuft mit {software}.',
  Docs: 'Dokumentation',
  Errors: 'Fehler',
  'API description': 'API-Beschreibung',
  'Your time:': 'Ihre Zeit:',
  'Skip to the content': 'Zum Inhalt springen',
  'No answer came': 'Keine Antwort erhalten',
  'What you typed is still here. It may have been saved, so check before you send it again.':
    'Ihre Eingaben sind noch da. Vielleicht wurden sie gespeichert, prüfen Sie das also, bevor Sie sie noch einmal senden.',
  'Set-up': 'Einrichtung',
  '<b>Not set up yet.</b> The terminal that started the service shows a setup link. <a>Set up</a>':
    '<b>Noch nicht eingerichtet.</b> Das Terminal, in dem der Dienst gestartet wurde, zeigt einen Einrichtungslink. <a>Einrichten</a>',
  Site: 'Website',
  Dashboard: 'Dashboard',
  Desk: 'Desk',
  Menu: 'Menü',
  'the operator of this marketplace': 'der Betreiber dieses Marktplatzes',
  'By continuing you accept the <terms>terms</terms>.':
    'Indem Sie fortfahren, akzeptieren Sie die <terms>AGB</terms>.',
  'By continuing you accept the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.':
    'Indem Sie fortfahren, akzeptieren Sie die <terms>AGB</terms> und haben die <privacy>Datenschutzerklärung</privacy> gelesen.',
  'I accept the <terms>terms</terms>.': 'Ich akzeptiere die <terms>AGB</terms>.',
  'I accept the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.':
    'Ich akzeptiere die <terms>AGB</terms> und habe die <privacy>Datenschutzerklärung</privacy> gelesen.',
  'Not saved: somebody else changed the same fields':
    'Nicht gespeichert: Jemand anderes hat dieselben Felder geändert',
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
  'Changes asked for': 'Änderungen erbeten',
  Live: 'Live',
  Rejected: 'Abgelehnt',
  Withdrawn: 'Zurückgezogen',
  Suspended: 'Gesperrt',
  'state|Open': 'Offen',
  Scheduled: 'Geplant',
  Paused: 'Pausiert',
  Over: 'Vorbei',
  'Needs codes': 'Braucht Codes',
  'Not open yet': 'Noch nicht offen',
  Closed: 'Geschlossen',
  'Change in review': 'Änderung in Prüfung',
  Declined: 'Abgelehnt',
  'Not redeemed': 'Nicht eingelöst',
  'Code given': 'Code vergeben',
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
  Waiting: 'Wartet',
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
  '← Previous': '← Zurück',
  'Next →': 'Weiter →',
  '{claims} of {limit}': '{claims} von {limit}',
  Start: 'Start',
  Listings: 'Einträge',
  Claims: 'Gutscheine',
  Campaigns: 'Kampagnen',
  Developers: 'Entwicklung',
  Requests: 'Anfragen',
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
  'Find a person, listing, claim, key or call': 'Person, Eintrag, Gutschein, Schlüssel oder Aufruf finden',
  'Person, listing, claim, key…': 'Person, Eintrag, Gutschein …',
  Find: 'Finden',
  Close: 'Schließen',
};
