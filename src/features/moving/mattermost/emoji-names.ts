// Names of Unicode emoji in Mattermost that have other names here.
import { emojiCode } from "../../../text/emoji.ts";
import { namesIn } from "../source/emoji-names.ts";

const NAMES = namesIn(`
  smiling_face_with_three_hearts=smiling_face_with_hearts hugs=hug
  hand_over_mouth=face_with_hand_over_mouth raised_eyebrow=face_with_raised_eyebrow
  roll_eyes=rolling_eyes vomiting_face=face_vomiting cowboy_hat_face=cowboy
  monocle_face=face_with_monocle frowning_face=sad pout=rage
  cursing_face=face_with_symbols_on_mouth heavy_heart_exclamation=heart_exclamation
  eye_speech_bubble=eye_in_speech_bubble vulcan_salute=spock fu=middle_finger fist_raised=fist
  fist_oncoming=fist_bump fist_left=left_fist fist_right=right_fist
  blond_haired_person=person_blond_hair blonde_woman=woman_blond_hair
  frowning_person=person_frowning pouting_face=person_pouting no_good_man=man_gesturing_no
  ng_man=man_gesturing_no no_good_woman=woman_gesturing_no ng_woman=woman_gesturing_no
  ok_person=ok_signal ok_man=man_gesturing_ok tipping_hand_person=information_desk_person
  sassy_man=man_tipping_hand sassy_woman=woman_tipping_hand police_officer=police
  policeman=man_police_officer policewoman=woman_police_officer guardswoman=woman_guard
  person_with_turban=turban woman_with_turban=woman_wearing_turban person_with_veil=bride
  massage_man=man_getting_massage massage_woman=woman_getting_massage
  haircut_man=man_getting_haircut haircut_woman=woman_getting_haircut woman_dancing=dancer
  business_suit_levitating=levitating dancing_men=men_with_bunny_ears
  dancing_women=women_with_bunny_ears sauna_person=person_in_steamy_room
  sauna_man=man_in_steamy_room sauna_woman=woman_in_steamy_room climbing=person_climbing
  person_fencing=fencing golfing=golf rowing_man=man_rowing_boat rowing_woman=woman_rowing_boat
  bouncing_ball_person=ball basketball_man=man_bouncing_ball basketball_woman=woman_bouncing_ball
  weight_lifting=lift weight_lifting_man=man_lifting_weights
  weight_lifting_woman=woman_lifting_weights cartwheeling=cartwheel handball_person=handball
  juggling_person=juggling lotus_position=person_in_lotus_position
  lotus_position_man=man_in_lotus_position lotus_position_woman=woman_in_lotus_position
  sleeping_bed=in_bed couplekiss_man_woman=kiss_woman_man couplekiss_man_man=kiss_man_man
  couplekiss_woman_woman=kiss_woman_woman kiwi_fruit=kiwi milk_glass=milk
  plate_with_cutlery=hungry mountain_snow=snowy_mountain flight_departure=take_off
  flight_arrival=landing artificial_satellite=satellite cloud_with_lightning_and_rain=thunderstorm
  sun_behind_small_cloud=mostly_sunny sun_behind_large_cloud=cloudy cloud_with_rain=rainy
  cloud_with_snow=snowy cloud_with_lightning=lightning wind_face=windy open_umbrella=umbrella
  parasol_on_ground=beach_umbrella snowman_with_snow=snowman tickets=ticket
  medal_military=military_medal medal_sports=medal 1st_place_medal=first_place
  2nd_place_medal=second_place 3rd_place_medal=third_place swim_brief=briefs
  shopping=shopping_bags rescue_worker_helmet=helmet film_strip=film camera_flash=taking_a_picture
  newspaper_roll=newspaper paperclips=office_supplies clamp=compression balance_scale=justice
  next_track_button=next_track play_or_pause_button=play_pause
  previous_track_button=previous_track pause_button=pause record_button=record
  yellow_square=yellow_large_square green_square=green_large_square
  antigua_barbuda=flag_antigua_and_barbuda bosnia_herzegovina=flag_bosnia_and_herzegovina
  cocos_islands=flag_cocos_keeling_islands czech_republic=flag_czechia
  ceuta_melilla=flag_ceuta_and_melilla
  south_georgia_south_sandwich_islands=flag_south_georgia_and_south_sandwich_islands
  hong_kong=flag_hong_kong_sar_china heard_mcdonald_islands=flag_heard_and_mcdonald_islands
  st_kitts_nevis=flag_st_kitts_and_nevis macedonia=flag_north_macedonia myanmar=flag_myanmar_burma
  macau=flag_macao_sar_china st_pierre_miquelon=flag_st_pierre_and_miquelon
  svalbard_jan_mayen=flag_svalbard_and_jan_mayen sao_tome_principe=flag_são_tomé_and_príncipe
  swaziland=flag_eswatini turks_caicos_islands=flag_turks_and_caicos_islands
  trinidad_tobago=flag_trinidad_and_tobago st_vincent_grenadines=flag_st_vincent_and_grenadines
  wallis_futuna=flag_wallis_and_futuna
`);

const isEmoji = (name: string) => emojiCode(name) !== undefined;

/** Flags have the names of countries, and `bowing_man` is `man_bowing` here. */
export function mattermostEmojiName(name: string): string | undefined {
  const knownName = NAMES.get(name);
  if (knownName !== undefined || isEmoji(name)) return knownName;
  const [, activity, person] = /^(.+)_(man|woman)$/.exec(name) ?? [];
  return [`flag_${name}`, `${person}_${activity}`].find(isEmoji);
}
