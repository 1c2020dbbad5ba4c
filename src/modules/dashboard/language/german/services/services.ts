import { accountServices } from './account.js';
import { alertsServices } from './alerts.js';
import { developersServices } from './developers.js';
import { operatorServices } from './operator.js';
import { operatorAlerts } from './operator-alerts.js';
import { settingsServices } from './settings.js';
import { walletServices } from './wallets.js';

/**
 * What services say where something was refused, and alerts: English in the API and in logs; translated where it becomes a page
 * or a mail (`say.told`). `{name}` stands for whatever the sentence has there.
 */
export const services = {
  'Your role does not allow this.': 'Ihre Rolle erlaubt das nicht.',
  'The form could not be read.': 'Das Formular konnte nicht gelesen werden.',
  'The form was sent from another site.': 'Das Formular wurde von einer anderen Website gesendet.',
  'This form is out of date. Load its page again.':
    'Dieses Formular ist veraltet. Laden Sie seine Seite neu.',
  'This form was for “{name}”, and you look at “{other}” now.':
    'Dieses Formular war für «{name}», und Sie sind jetzt bei «{other}».',
  'This form was for a merchant that you do not belong to any more.':
    'Dieses Formular war für einen Händler, zu dem Sie nicht mehr gehören.',
  'More than {limit} requests in this minute.': 'Mehr als {limit} Anfragen in dieser Minute.',

  'The address holds a NUL character.': 'Die Adresse enthält ein NUL-Zeichen.',
  'The request target is longer than 8 KiB.': 'Die Adresse ist länger als 8 KiB.',
  '{method} does not work here; {methods} do.': '{method} geht hier nicht; es gehen {methods}.',
  'This request came over plain HTTP.': 'Diese Anfrage kam ohne Verschlüsselung (HTTP).',
  'The service {why}.': 'Der Dienst {why}.',
  'is stopping': 'hält an',
  'There is no such person here.': 'Diese Person gibt es hier nicht.',
  'There is no such merchant.': 'Diesen Händler gibt es nicht.',
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'There is no such passkey.': 'Diesen Passkey gibt es nicht.',
  'There is no such webhook endpoint.': 'Diesen Webhook-Endpunkt gibt es nicht.',
  'There is no such webhook delivery.': 'Diese Zustellung gibt es nicht.',
  'There is no alert {id}.': 'Die Warnung {id} gibt es nicht.',
  'There is no key {id}.': 'Den Schlüssel {id} gibt es nicht.',
  '{id} is not in the review queue.': '{id} steht nicht unter «Prüfen».',
  'This link is too old, or is for another account.': 'Dieser Link ist zu alt oder für ein anderes Konto.',
  'This invitation is not open any more, or is for another account.':
    'Diese Einladung ist nicht mehr offen oder für ein anderes Konto.',
  'Nothing is collected{place}: only assets of EVM networks of this instance are. It has {known}.':
    'Hier wird nichts eingesammelt: nur, was auf EVM-Netzwerken dieser Instanz liegt. Sie hat {known}.',
  'Other pictures are being drawn just now. Try again.':
    'Gerade werden andere Bilder gezeichnet. Versuchen Sie es noch einmal.',
  'An endpoint asks for at least one of {events}, and for nothing else.':
    'Ein Endpunkt verlangt mindestens eines von {events}, und nichts anderes.',

  // Signing in.
  'Too many sign-ins from your address. Wait a minute.':
    'Zu viele Anmeldungen von Ihrer Adresse. Warten Sie eine Minute.',
  'Too many sign-ins at once.': 'Zu viele Anmeldungen auf einmal.',
  'The e-mail address or the password is not right.': 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
  'The password is not right.': 'Das Passwort stimmt nicht.',
  'This account was changed or signed out meanwhile. Sign in again.':
    'Dieses Konto wurde inzwischen geändert oder abgemeldet. Melden Sie sich neu an.',
  'Begin again with your password.': 'Beginnen Sie noch einmal mit Ihrem Passwort.',
  'This code is not right, or was used already.': 'Dieser Code stimmt nicht oder wurde schon benutzt.',
  'This passkey was not accepted. Try again.':
    'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
  'This is the passkey of another account.': 'Das ist der Passkey eines anderen Kontos.',
  'This link has been used or is too old. Ask for a new one.':
    'Dieser Link wurde schon benutzt oder ist zu alt. Verlangen Sie einen neuen.',
  'This service sends no mail. Ask whoever runs it for a link.':
    'Dieser Dienst versendet keine E-Mails. Bitten Sie den Betreiber um einen Link.',
  'This is not an e-mail address.': 'Das ist keine E-Mail-Adresse.',
  'The password could not be judged just now. Try again.':
    'Das Passwort konnte gerade nicht beurteilt werden. Versuchen Sie es noch einmal.',
  'This password is one of the first that somebody would guess. Use another one, such as a sentence of your own.':
    'Dieses Passwort gehört zu den ersten, die jemand raten würde. Nehmen Sie ein anderes, zum Beispiel einen eigenen Satz.',

  // Payments, the review queue, refunds.
  'There is no such payment intent.': 'Diese Zahlung gibt es nicht.',
  'Both days are dates such as 2026-11-21.': 'Beide Tage sind Daten wie 2026-11-21.',
  'The period ends after it begins: from < to.': 'Der Zeitraum muss nach seinem Beginn enden.',
  'A payment that is {status} cannot be cancelled.':
    'Diese Zahlung ({status}) kann nicht abgebrochen werden.',
  'An intent that is {status} cannot be accepted; dismiss it or record a refund.':
    'Diese Zahlung ({status}) kann nicht angenommen werden; legen Sie sie ab, oder vermerken Sie eine Rückzahlung.',
  'Nothing of the quoted asset has arrived; dismiss it or record a refund.':
    'Von der angebotenen Währung ist nichts eingetroffen; legen Sie sie ab, oder vermerken Sie eine Rückzahlung.',
  'The money is not final yet. Try again when it has the settlement depth.':
    'Das Geld ist noch nicht endgültig. Versuchen Sie es wieder, wenn es genug Bestätigungen hat.',
  'The price of this payment cannot be read. Have its row mended, or send the money back.':
    'Der Preis dieser Zahlung lässt sich nicht lesen. Lassen Sie ihre Zeile in der Datenbank richten, oder schicken Sie das Geld zurück.',
  'Some of this money is not final, or not of the quoted asset. Look again, and accept what is.':
    'Ein Teil dieses Geldes ist nicht endgültig oder nicht in der angebotenen Währung. Sehen Sie noch einmal nach, und nehmen Sie an, was es ist.',
  'A decision needs a {name}.': 'Ein Entscheid braucht eine Begründung.',
  'The {name} is longer than {most} characters.': 'Der Text ist länger als {most} Zeichen.',
  'The entry has changed since you looked. Look again before you decide.':
    'Seit Sie es sich angesehen haben, hat sich etwas geändert. Schauen Sie noch einmal, bevor Sie entscheiden.',
  'The entry has changed since you looked. Look again.':
    'Seit Sie es sich angesehen haben, hat sich etwas geändert. Schauen Sie noch einmal.',
  'This transaction pays a refund already that is followed on the chain.':
    'Diese Transaktion bezahlt schon eine Rückzahlung, die auf der Blockchain verfolgt wird.',
  'Say why, in at most {most} characters.': 'Sagen Sie warum, in höchstens {most} Zeichen.',
  'The node of {network} has not answered yet, so nothing could be found there.':
    'Der Knoten von {network} hat noch nicht geantwortet, darum liess sich dort nichts finden.',
  'A transaction’s id is 64 hexadecimal digits.': 'Die ID einer Transaktion hat 64 hexadezimale Zeichen.',
  'A transaction is named for it already.': 'Für sie ist schon eine Transaktion genannt.',
  'It is being looked for.': 'Sie wird gesucht.',
  'It was withdrawn.': 'Sie wurde zurückgezogen.',
  'A block holds it already.': 'Ein Block enthält sie schon.',
  'Look again.': 'Schauen Sie noch einmal.',
  'The blocks up to now could not be searched, so it may have been paid.':
    'Die Blöcke bis jetzt konnten nicht durchsucht werden, also ist sie vielleicht bezahlt.',
  'Somebody has opened or sent the payment.': 'Jemand hat die Zahlung geöffnet oder gesendet.',
  'Withdraw it only if your wallet says that nothing was sent, or that it failed, and say so.':
    'Ziehen Sie sie nur zurück, wenn Ihre Wallet sagt, dass nichts gesendet wurde oder dass es fehlschlug, und bestätigen Sie das.',
  'That is no address of {network}.': 'Das ist keine Adresse von {network}.',
  'That is an address of the payment itself.': 'Das ist eine Adresse der Zahlung selbst.',
  'There is no refund {id}.': 'Die Rückzahlung {id} gibt es nicht.',
  'There is no final money that could be sent back. What is not final yet can still be undone.':
    'Es gibt kein endgültiges Geld, das zurückgesendet werden könnte. Was noch nicht endgültig ist, kann noch rückgängig gemacht werden.',
  'The amount is a plain decimal of {unit}, such as 12.50.':
    'Der Betrag ist eine einfache Dezimalzahl in {unit}, wie 12.50.',
  'Say what was sent back: {assets}.': 'Sagen Sie, was zurückgesendet wurde: {assets}.',
  'A transaction’s id has at most {most} characters.':
    'Die ID einer Transaktion hat höchstens {most} Zeichen.',
  '{name} has opened the payment before you.': '{name} hat die Zahlung vor Ihnen geöffnet.',
  'Nothing can be sent back there: {why}.': 'Dorthin lässt sich nichts zurücksenden: {why}.',
  'its network is not configured': 'ihr Netzwerk ist nicht eingerichtet',
  'it is your own': 'es ist Ihre eigene',
  'No more than {most} on {network} is final and has not been sent back yet.':
    'Nicht mehr als {most} auf {network} ist endgültig und noch nicht zurückgesendet.',

  ...developersServices,
  ...alertsServices,
  ...operatorServices,
  ...operatorAlerts,

  ...accountServices,
  ...settingsServices,
  ...walletServices,
} as const;
