-- Whoever took a link while a second factor was on is known there for the password alone, until the second step is passed in that browser.
-- What is known by now became so by a whole sign-in.
ALTER TABLE known_device ADD COLUMN awaits_second_step boolean NOT NULL DEFAULT false;
